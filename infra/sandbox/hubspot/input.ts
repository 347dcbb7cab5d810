import { ApiError, badRequest, conflict, type ErrorDetail, type Failure, isJsonObject } from './http.ts';
import type { PropertyDefinition } from './properties.ts';
import { createRecord, holderOf, liveProperty, readValue, writeValues } from './records.ts';
import type { ValueRule, WriteRule } from './settings.ts';
import { type Actor, type ObjectTypeId, type Portal, type StoredRecord, singularName } from './state.ts';

interface RecordInput {
  readonly typeId: ObjectTypeId;
  readonly properties: unknown;
  /** The record to change. Absent for a creation. */
  readonly record?: StoredRecord;
  readonly actor: Actor;
}

type CheckedInput =
  | { readonly ok: true; readonly values: Record<string, string> }
  | { readonly ok: false; readonly failure: Failure };

export function checkInput(portal: Portal, input: RecordInput): CheckedInput {
  if (input.properties !== undefined && !isJsonObject(input.properties)) {
    return { ok: false, failure: badRequest('Invalid input JSON: properties must be an object.') };
  }
  const check = { ...input, portal };
  const checked = checkValues(check, input.properties ?? {});
  const problems = [...checked.problems, ...ruleProblems(check, checked.values)];
  if (problems.length > 0) return { ok: false, failure: invalidProperties(portal, problems) };
  const taken = takenValue(check, checked.values);
  if (taken) return { ok: false, failure: taken };
  return { ok: true, values: checked.values };
}

type Check = RecordInput & { readonly portal: Portal };

function checkValues(check: Check, properties: Record<string, unknown>) {
  const values: Record<string, string> = {};
  const problems: ErrorDetail[] = [];
  for (const [name, given] of Object.entries(properties)) {
    // HubSpot ignores null. Only an empty string clears a value.
    if (given === null) continue;
    const outcome = checkValue(check, { name, given });
    if ('problem' in outcome)
      problems.push({ message: outcome.problem, code: outcome.code, context: { propertyName: [name] } });
    else values[name] = outcome.value;
  }
  return { values, problems };
}

function checkValue({ portal, ...input }: Check, { name, given }: { name: string; given: unknown }) {
  const definition = liveProperty(portal, { typeId: input.typeId, name });
  if (!definition) return { code: 'PROPERTY_DOESNT_EXIST', problem: `Property "${name}" does not exist` };
  if (definition.calculated || definition.modificationMetadata.readOnlyValue) {
    return {
      code: 'READ_ONLY_VALUE',
      problem: `"${name}" is a read only property; its value cannot be set.`,
    };
  }
  if (typeof given === 'object') return { code: 'INVALID_VALUE', problem: `"${name}" must be a string.` };
  const current = input.record ? readValue(portal, { record: input.record, name }) : '';
  const { formatPhones, lowerCaseEmails, bareDomains } = portal.state.settings;
  const forms = { formatPhones, lowerCaseEmails, bareDomains };
  const normal = normaliseValue({ definition, current, ...forms }, String(given));
  return 'problem' in normal ? normal : (ruleBroken({ portal, ...input }, { name, ...normal }) ?? normal);
}

/**
 * Finds a broken validation rule. Only writes of apps are checked, because a form shows the error to people as they
 * type.
 */
function ruleBroken({ portal, typeId, actor }: Check, written: { name: string; value: string }) {
  if (actor.sourceType !== 'INTEGRATION') return undefined;
  return brokenValueRule(rulesOf(portal.state.settings.valueRules, typeId), written);
}

/** Finds broken rules on required properties. Only apps are checked, because a form checks people's input. */
function ruleProblems({ portal, ...input }: Check, values: Record<string, string>): ErrorDetail[] {
  if (input.actor.sourceType !== 'INTEGRATION') return [];
  return brokenRules(portal.state.settings.writeRules, {
    typeId: input.typeId,
    creating: input.record === undefined,
    readValue: (name) =>
      values[name] ?? (input.record ? readValue(portal, { record: input.record, name }) : ''),
  });
}

/** Builds the failure. HubSpot returns the reasons as JSON text in the message, as a list, or both. */
function invalidProperties(portal: Portal, problems: readonly ErrorDetail[]): Failure {
  const { validationDetail } = portal.state.settings;
  const inMessage = problems.map(({ message, code, context }) => ({
    isValid: false,
    message,
    error: code,
    name: context?.['propertyName']?.[0],
  }));
  const message = `Property values were not valid${validationDetail === 'errors' ? '' : `: ${JSON.stringify(inMessage)}`}`;
  return badRequest(message, validationDetail === 'message' ? {} : { errors: problems });
}

/** Refuses the address of another contact. The other properties with unique values are HubSpot's own. */
function takenValue(
  { portal, ...input }: Check,
  { email = '' }: Record<string, string>,
): Failure | undefined {
  if (email === '' || input.typeId !== '0-1') return undefined;
  const holder = holderOf(portal, email);
  if (!holder || holder.id === input.record?.id) return undefined;
  return conflict(`Contact already exists. Existing ID: ${holder.id}`, { context: { ids: [holder.id] } });
}

interface Written {
  readonly typeId: ObjectTypeId;
  readonly creating: boolean;
  /** Reads the value after the write. Empty if there is none. */
  readonly readValue: (property: string) => string;
}

/**
 * Finds the admin's rules that the record breaks after a write, including rules on properties that the write does not
 * change.
 */
function brokenRules(rules: readonly WriteRule[], written: Written): ErrorDetail[] {
  return rules
    .filter((rule) => rule.objectType === singularName(written.typeId))
    .filter(
      (rule) =>
        written.readValue(rule.requires) === '' &&
        (rule.when ? rule.when.values.includes(written.readValue(rule.when.property)) : written.creating),
    )
    .map((rule) => ({
      code: rule.when ? 'MISSING_CONDITIONAL_REQUIRED_PROPERTY' : 'MISSING_REQUIRED_PROPERTY',
      message: `The property ${rule.requires} is required by a rule of this account.`,
      context: { propertyName: [rule.requires] },
    }));
}

/** The admin's rules on the values of a type's properties. */
export function rulesOf(rules: readonly ValueRule[], typeId: ObjectTypeId): readonly ValueRule[] {
  return rules.filter(({ objectType }) => objectType === singularName(typeId));
}

/** The first rule that a value breaks, among the rules of the value's property. */
function brokenValueRule(
  rules: readonly ValueRule[],
  { name, value }: { name: string; value: string },
): { readonly code: string; readonly problem: string } | undefined {
  const broken = rules.find((rule) => rule.propertyName === name && value !== '' && !fulfils(rule, value));
  if (!broken) return undefined;
  const limits = broken.ruleArguments.map((one) => ` ${one}`).join('');
  return {
    code: 'INVALID_VALUE',
    problem: `"${name}" breaks a rule of this account: ${broken.ruleType}${limits}.`,
  };
}

function fulfils({ ruleType, ruleArguments: [limit = ''] }: ValueRule, value: string): boolean {
  switch (ruleType) {
    case 'MAX_LENGTH':
      return value.length <= Number(limit);
    case 'MIN_LENGTH':
      return value.length >= Number(limit);
    default:
      return true;
  }
}

interface Creation {
  readonly typeId: ObjectTypeId;
  readonly properties: unknown;
  readonly actor: Actor;
}

/** Creates a record as a person does, at the screen or by an import. @throws ApiError if a value is refused. */
export function createByPerson(portal: Portal, creation: Creation): StoredRecord {
  const checked = checkInput(portal, creation);
  if (!checked.ok) throw new ApiError(checked.failure);
  return createRecord(portal, { ...creation, values: checked.values });
}

/** Edits a record as a person does. @throws ApiError if a value is refused. */
export function editByPerson(
  portal: Portal,
  { record, properties, actor }: { record: StoredRecord; properties: unknown; actor: Actor },
): void {
  const { typeId } = record;
  const checked = checkInput(portal, { typeId, properties, record, actor });
  if (!checked.ok) throw new ApiError(checked.failure);
  writeValues(portal, { record, values: checked.values, actor });
}

/** A value in stored form, or the reason for its refusal. */
type Normalised = { readonly value: string } | { readonly code: string; readonly problem: string };

const LONGEST_TEXT = 65_536;

interface ValueRules {
  readonly definition: PropertyDefinition;
  readonly formatPhones: boolean;
  readonly lowerCaseEmails: boolean;
  readonly bareDomains: boolean;
  /** The stored value, to which a new value can be appended. */
  readonly current: string;
}

/** Checks a value against its property's type. An empty string clears the value and is always allowed. */
function normaliseValue(rules: ValueRules, raw: string): Normalised {
  const { definition, current } = rules;
  if (raw === '') return { value: '' };
  switch (definition.type) {
    case 'number':
      return normaliseNumber(raw);
    case 'bool':
      return /^(true|false)$/i.test(raw) ? { value: raw.toLowerCase() } : notAllowed(definition, raw);
    case 'date':
      return normaliseDate(raw);
    case 'datetime':
      return normaliseDateTime(raw);
    case 'enumeration':
      return normaliseOptions({ definition, current }, raw);
    default:
      return normaliseText(rules, raw);
  }
}

function normaliseNumber(raw: string): Normalised {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(raw)) return { value: raw };
  return { code: 'INVALID_NUMBER', problem: `${raw} was not a valid number.` };
}

/** Accepts a day, a time in it, or milliseconds. */
function normaliseDate(raw: string): Normalised {
  const date = new Date(/^-?\d+$/.test(raw) ? Number(raw) : Date.parse(raw));
  if (Number.isNaN(date.getTime())) return { code: 'INVALID_DATE', problem: `${raw} was not a valid date.` };
  return { value: date.toISOString().slice(0, 10) };
}

/** Accepts ISO 8601, or milliseconds. */
function normaliseDateTime(raw: string): Normalised {
  const time = /^-?\d+$/.test(raw)
    ? Number(raw)
    : /^\d{4}-\d\d-\d\d/.test(raw)
      ? Date.parse(raw)
      : Number.NaN;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) {
    return { code: 'INVALID_DATE', problem: `${raw} was not a valid date and time.` };
  }
  return { value: date.toISOString() };
}

/** Reads values that are separated by `;`. If the text begins with `;`, the values are appended to the present ones. */
function normaliseOptions(
  { definition, current }: Pick<ValueRules, 'definition' | 'current'>,
  raw: string,
): Normalised {
  const several = definition.fieldType === 'checkbox';
  const given = several ? raw.split(';').filter((one) => one !== '') : [raw];
  const known = new Set(definition.options.map((option) => option.value));
  const unknown = definition.externalOptions ? undefined : given.find((one) => !known.has(one));
  if (unknown !== undefined) return notAllowed(definition, unknown);
  const kept = several && raw.startsWith(';') ? current.split(';').filter((one) => one !== '') : [];
  return { value: [...new Set([...kept, ...given])].join(';') };
}

function notAllowed(definition: PropertyDefinition, raw: string): Normalised {
  const allowed = definition.options.map((option) => `label: "${option.label}" value: "${option.value}"`);
  return {
    code: 'INVALID_OPTION',
    problem: `${raw} was not one of the allowed options: [${allowed.join(', ')}]`,
  };
}

function normaliseText({ definition, ...forms }: ValueRules, raw: string): Normalised {
  if (raw.length > LONGEST_TEXT) {
    return { code: 'PROPERTY_VALUE_TOO_LONG', problem: `A value of ${raw.length} characters is too long.` };
  }
  if (definition.hubspotDefined && definition.name === 'email') return normaliseEmail(raw, forms);
  if (definition.hubspotDefined && definition.name === 'domain' && forms.bareDomains)
    return { value: bareHost(raw) };
  if (definition.fieldType === 'phonenumber' && forms.formatPhones) {
    return { value: raw.replace(/(?!^\+)[^\d]/g, '') };
  }
  return { value: raw };
}

function normaliseEmail(raw: string, { lowerCaseEmails }: Pick<ValueRules, 'lowerCaseEmails'>): Normalised {
  const value = lowerCaseEmails ? raw.trim().toLowerCase() : raw.trim();
  if (/^[^\s@<>(),;:]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value) && !UNKNOWN_ENDING.test(value)) return { value };
  return { code: 'INVALID_EMAIL', problem: `Email address ${raw} is invalid` };
}

/** HubSpot refuses top-level domains that do not exist. These are the usual mistakes; numbers are never one. */
const UNKNOWN_ENDING =
  /\.(?:con|cmo|cim|ocm|comm|coom|vom|xom|cpm|nte|ner|ogr|localhost|local|lan|internal|\d+|.)$/i;

/** Removes scheme, `www` and path from a company's domain. */
function bareHost(raw: string): string {
  const host =
    raw
      .trim()
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, '')
      .split(/[/?#]/)[0] ?? '';
  return host.replace(/^www\./, '');
}
