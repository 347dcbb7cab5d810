import { badRequest, conflict, type ErrorDetail, type Failure } from '../door/api-error.ts';
import { isJsonObject } from '../door/json.ts';
import type { Actor, Portal } from '../portal.ts';
import { LIFECYCLE_STAGES } from '../properties/default-properties.ts';
import { normaliseValue, problemDetail } from '../properties/values.ts';
import type { WriteRule } from '../settings.ts';
import type { StoredRecord } from '../state.ts';
import { holderOf } from './holders.ts';
import { type ObjectTypeId, singularName } from './object-types.ts';
import { liveProperty, readValue } from './record-view.ts';
import { brokenValueRule, rulesOf } from './value-rules.ts';

export interface RecordInput {
  readonly typeId: ObjectTypeId;
  /** Raw properties of the request. */
  readonly properties: unknown;
  /** The record to change. Absent for a creation. */
  readonly record?: StoredRecord;
  readonly actor: Actor;
  /** Whether the path has the newest version, whose rules differ. */
  readonly newest: boolean;
}

export type CheckedInput =
  | { readonly ok: true; readonly values: Record<string, string>; readonly warnings: readonly object[] }
  | { readonly ok: false; readonly failure: Failure };

/** Checks the properties of a write against their definitions, the account's rules and uniqueness. */
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
  return { ok: true, values: checked.values, warnings: checked.warnings };
}

type Check = RecordInput & { readonly portal: Portal };

interface Given {
  readonly name: string;
  readonly given: unknown;
}

function checkValues(check: Check, properties: Record<string, unknown>) {
  const values: Record<string, string> = {};
  const problems: ErrorDetail[] = [];
  const warnings: object[] = [];
  for (const [name, given] of Object.entries(properties)) {
    // HubSpot ignores null. Only an empty string clears a value.
    if (given === null) continue;
    const outcome = checkValue(check, { name, given });
    if ('problem' in outcome) problems.push(problemDetail(name, outcome));
    else if (!movesBack(check, { name, value: outcome.value })) values[name] = outcome.value;
    if ('note' in outcome) warnings.push(warningOf({ name, given, ...outcome }));
  }
  return { values, problems, warnings };
}

function checkValue({ portal, ...input }: Check, { name, given }: Given) {
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
  const normal = normaliseValue({ definition, current, ...forms, newest: input.newest }, String(given));
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

/** Whether an app would move the lifecycle stage back. The API ignores such a value. People may set any stage. */
function movesBack({ portal, ...input }: Check, { name, value }: { name: string; value: string }): boolean {
  if (name !== 'lifecyclestage' || value === '' || !input.record) return false;
  if (input.actor.sourceType !== 'INTEGRATION') return false;
  const current = readValue(portal, { record: input.record, name });
  return LIFECYCLE_STAGES.indexOf(value) < LIFECYCLE_STAGES.indexOf(current);
}

function warningOf(said: {
  name: string;
  given: unknown;
  value?: string;
  note?: string | undefined;
}): object {
  const context = {
    propertyName: [said.name],
    rawValue: [String(said.given)],
    normalizedValue: [said.value ?? ''],
  };
  return { code: said.note, message: 'A value was changed into the form in which it is kept.', context };
}

/** Finds broken rules on required properties. Only apps are checked, because a form checks people's input. */
function ruleProblems({ portal, ...input }: Check, values: Record<string, string>): ErrorDetail[] {
  if (!input.newest || input.actor.sourceType !== 'INTEGRATION') return [];
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

function takenValue({ portal, ...input }: Check, values: Record<string, string>): Failure | undefined {
  for (const [name, value] of Object.entries(values)) {
    if (value === '' || !liveProperty(portal, { typeId: input.typeId, name })?.hasUniqueValue) continue;
    const holder =
      holderOf(portal, { typeId: input.typeId, name, value }) ??
      (name === 'email'
        ? holderOf(portal, { typeId: input.typeId, name: 'hs_additional_emails', value })
        : undefined);
    if (!holder || holder.id === input.record?.id) continue;
    const kind = singularName(input.typeId);
    if (name === 'email') {
      return conflict(`Contact already exists. Existing ID: ${holder.id}`, { context: { ids: [holder.id] } });
    }
    const message = `A ${kind} with this value of ${name} already exists. Existing ID: ${holder.id}`;
    return conflict(message, { context: { propertyName: [name], ids: [holder.id] } });
  }
  return undefined;
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
    .filter((rule) => written.readValue(rule.requires) === '' && applies(rule, written))
    .map((rule) => ({
      code: rule.when ? 'MISSING_CONDITIONAL_REQUIRED_PROPERTY' : 'MISSING_REQUIRED_PROPERTY',
      message: `The property ${rule.requires} is required by a rule of this account.`,
      context: { propertyName: [rule.requires] },
    }));
}

function applies({ when }: WriteRule, written: Written): boolean {
  return when ? when.values.includes(written.readValue(when.property)) : written.creating;
}
