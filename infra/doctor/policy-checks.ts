import {
  isAboutPerson,
  OBJECT_TYPE_ROWS,
  OBJECT_TYPES,
  type ObjectType,
  type PropertyDefinition,
  type PropertyDefinitions,
} from '#shared/crm';
import {
  enrichmentProperties,
  type FieldRule,
  fittingFaults,
  isJobField,
  KNOWN_INDUSTRIES,
  KNOWN_SENIORITIES,
  matchOption,
  ruleFaults,
} from '#shared/field-policy';
import { ensureEnrichmentProperties } from '../local/prepare-properties.ts';
import { askHubSpot, type Check, checkOf, commandFor, runHubSpotCheck, type Site } from './check.ts';
import { valueRulesSchema } from './schemas.ts';

export function propertiesCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const { services } = site;
  const command = commandFor(site, 'setup');
  const name = `properties of ${objectType}`;
  return runHubSpotCheck(name, 'hubspot-refuses-read', async () => {
    const { created, revived, optionsAdded, conflicts } = await ensureEnrichmentProperties(services.hubSpot, {
      objectType,
      dryRun: true,
    });
    if (conflicts.length > 0)
      return checkOf(name, 'properties-conflict', { conflicts: [...conflicts], command });
    const missing = [...created, ...revived];
    if (missing.length > 0) return checkOf(name, 'properties-missing', { properties: missing, command });
    if (optionsAdded.length > 0)
      return checkOf(name, 'options-missing', { properties: [...optionsAdded], command });
    return checkOf(name, 'properties-right', {});
  });
}

/** Finds policy fields without effect, because the property is missing in the portal or read-only. */
export function targetsCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const name = `policy fields of ${objectType}`;
  return runHubSpotCheck(name, 'hubspot-refuses-read', async () => {
    const definitions = await site.services.crm.definitions(objectType);
    const targets = targetsOf(site, objectType);
    const named = new Set(targets.filter(({ optional }) => !optional).map(({ property }) => property));
    const names = [...new Set(targets.map(({ property }) => property))];
    const missing = names.filter((property) => !definitions.has(property));
    const readOnly = names.filter((property) => definitions.get(property)?.readOnly);
    const weighed = site.policy.refresh.weights[objectType].map(({ property }) => property);
    const unknown = [...new Set(weighed)].filter((property) => !definitions.has(property));
    if (unknown.length > 0) return checkOf(name, 'weights-unknown', { properties: unknown });
    const isWithoutEffect = [...missing, ...readOnly].some((property) => named.has(property));
    const fields = names.length - missing.length - readOnly.length;
    const code = isWithoutEffect ? 'fields-without-effect' : 'fields-writable';
    return checkOf(name, code, { fields, missing, readOnly });
  });
}

const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  industry: KNOWN_INDUSTRIES,
  seniority: KNOWN_SENIORITIES,
};
const MOST_NAMED = 5;

/** Finds known values of the data service for which a property has no choice. */
export function choicesCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const name = `choices of ${objectType}`;
  return runHubSpotCheck(name, 'hubspot-refuses-read', async () => {
    const definitions = await site.services.crm.definitions(objectType);
    const lacking = targetsOf(site, objectType).flatMap(({ property, from }) => {
      const unmatched = unmatchedValues(definitions.get(property), KNOWN_VALUES[String(from)] ?? []);
      const some = unmatched.slice(0, MOST_NAMED);
      return unmatched.length > 0 ? [{ property, choices: unmatched.length, some }] : [];
    });
    return lacking.length === 0
      ? checkOf(name, 'choices-fit', {})
      : checkOf(name, 'choices-missing', { lacking });
  });
}

function unmatchedValues(definition: PropertyDefinition | undefined, known: readonly string[]): string[] {
  if (definition?.type !== 'enumeration') return [];
  return known.filter((text) => matchOption(text, definition.options) === undefined);
}

/** Finds job properties that the policy may update without the rest of the job. */
export function employerGroupCheck(site: Site): Check {
  const name = 'employer group of contacts';
  const apart = targetsOf(site, 'contacts').filter((rule) => rule.group === 'none' && isJobField(rule));
  if (apart.length === 0) return checkOf(name, 'job-is-whole', {});
  return checkOf(name, 'job-is-split', { properties: [...new Set(apart.map(({ property }) => property))] });
}

export function valueRulesCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const name = `value rules of ${objectType}`;
  return runHubSpotCheck(name, 'hubspot-refuses-read', async () => {
    const path = `/crm/property-validations/{version}/${OBJECT_TYPE_ROWS[objectType].typeId}`;
    const { status, body } = await askHubSpot(site, path);
    const returned = status === 200 ? valueRulesSchema.safeParse(body).data : undefined;
    if (!returned) return checkOf(name, 'value-rules-not-returned', { status });
    const targets = new Set(targetsOf(site, objectType).map(({ property }) => property));
    const rules = returned.results
      .filter(({ propertyName }) => targets.has(propertyName))
      .flatMap(({ propertyName, propertyValidationRules }) =>
        propertyValidationRules.map(({ ruleType, ruleArguments }) =>
          [propertyName, ruleType, ...ruleArguments].join(' '),
        ),
      );
    return rules.length === 0 ? checkOf(name, 'no-value-rules', {}) : checkOf(name, 'value-rules', { rules });
  });
}

function targetsOf({ policy }: Site, objectType: ObjectType): FieldRule[] {
  return policy.fields[objectType].filter(({ write }) => write !== 'never');
}

/** Checks the rules of the policy's `whom` for conflicts with each other and with the HubSpot account. */
export function rulesCheck(site: Pick<Site, 'policy' | 'services'>, objectType: ObjectType): Promise<Check> {
  const name = `rules for ${objectType}`;
  return runHubSpotCheck(name, 'hubspot-refuses-read', async () => {
    const rules = site.policy.whom[objectType];
    if (!rules) return checkOf(name, 'no-rules', {});
    const definitions = await definitionsOf(site);
    const setting = `policy.whom.${objectType}`;
    if (!rules.some(({ enrich, onRequest }) => enrich || onRequest))
      return checkOf(name, 'no-rule-allows', { setting });
    return fitting(name, { rules, faults: ruleFaults(site.policy, objectType, definitions), setting });
  });
}

export async function privacyRulesChecks(
  site: Pick<Site, 'policy' | 'services'>,
  objectType: ObjectType,
): Promise<readonly Check[]> {
  const { retention, notice } = site.policy.privacy;
  const rulesOf = (name: string, rules: Parameters<typeof fittingFaults>[0], setting: string) =>
    runHubSpotCheck(name, 'hubspot-refuses-read', async () => {
      const faults = fittingFaults(rules, objectType, await definitionsOf(site));
      return fitting(name, { rules, faults, setting: `policy.privacy.${setting}` });
    });
  const kept = retention[objectType] ?? [];
  const due = isAboutPerson({ objectType }) ? notice : [];
  return Promise.all([
    ...(kept.length > 0 ? [rulesOf(`retention of ${objectType}`, kept, `retention.${objectType}`)] : []),
    ...(due.length > 0 ? [rulesOf('notice rules', due, 'notice')] : []),
  ]);
}

function fitting(
  name: string,
  {
    rules,
    faults,
    setting,
  }: { rules: readonly { readonly name: string }[]; faults: ReturnType<typeof ruleFaults>; setting: string },
): Check {
  if (faults.length === 0) return checkOf(name, 'rules-fit', { rules: rules.map((rule) => rule.name) });
  const isBroken = faults.some(({ code }) => code === 'unknown-property' || code === 'unknown-option');
  return checkOf(name, isBroken ? 'rules-broken' : 'rules-doubtful', { faults: [...faults], setting });
}

async function definitionsOf({ services: { crm } }: Pick<Site, 'services'>) {
  const all = OBJECT_TYPES.map(async (type) => [type, withOwn(await crm.definitions(type), type)] as const);
  return Object.fromEntries(await Promise.all(all)) as Record<ObjectType, PropertyDefinitions>;
}

/**
 * Faults of the rules, to print at the start. They do not stop the start, because records wait if a rule cannot be
 * read.
 */
export async function ruleNotes(site: Pick<Site, 'policy' | 'services'>): Promise<readonly Check[]> {
  const checks = await Promise.all(
    OBJECT_TYPES.map(async (objectType) => [
      await rulesCheck(site, objectType),
      ...(await privacyRulesChecks(site, objectType)),
    ]),
  );
  return checks.flat().filter(({ verdict }) => verdict !== 'ok');
}

/** Adds our own properties to the known ones, because the start and `setup` create them. */
function withOwn(known: PropertyDefinitions, objectType: ObjectType): PropertyDefinitions {
  const own = enrichmentProperties(objectType).map((each): [string, PropertyDefinition] => {
    const { name, type, fieldType, options = [] } = each;
    return [name, { name, type, fieldType, options, readOnly: false }];
  });
  return new Map([...own, ...known]);
}
