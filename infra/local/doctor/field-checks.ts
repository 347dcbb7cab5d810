import type { ObjectType, PropertyDefinition } from '#shared/crm';
import {
  type FieldRule,
  isJobField,
  KNOWN_INDUSTRIES,
  KNOWN_SENIORITIES,
  matchOption,
} from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { ensureEnrichmentProperties } from '../prepare-properties.ts';
import { askHubSpot } from './ask-hubspot.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { commandFor } from './command-for.ts';
import { runCheck } from './run-check.ts';
import { valueRulesSchema } from './schemas.ts';
import type { Site } from './site.ts';

const SCOPE_ADVICE = 'give the app the scopes of infra/hubspot-app and upload it again';

/** Checks our own properties. */
export function propertiesCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const { services } = site;
  const advice = `run: ${commandFor(site, 'setup')}`;
  const name = `properties of ${objectType}`;
  return runCheck(name, SCOPE_ADVICE, async () => {
    const { created, revived, optionsAdded, conflicts } = await ensureEnrichmentProperties(services.hubSpot, {
      objectType,
      dryRun: true,
    });
    if (conflicts.length > 0) {
      const seen = conflicts.map((conflict) => `${conflict.name}: ${conflict.reason}`).join('; ');
      return fail(name, seen, `rename or delete these properties in HubSpot, then ${advice}`);
    }
    const missing = [...created, ...revived];
    if (missing.length > 0) return fail(name, `missing: ${missing.join(', ')}`, advice);
    if (optionsAdded.length > 0) return fail(name, `options are missing: ${optionsAdded.join(', ')}`, advice);
    return ok(name, 'all exist and have the right types');
  });
}

/** Finds policy fields without effect, because the property is missing in the portal or read-only. */
export function targetsCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const name = `policy fields of ${objectType}`;
  return runCheck(name, SCOPE_ADVICE, async () => {
    const definitions = await site.services.crm.definitions(objectType);
    const targets = targetsOf(site, objectType);
    const named = new Set(targets.filter(({ optional }) => !optional).map(({ property }) => property));
    const names = [...new Set(targets.map(({ property }) => property))];
    const missing = names.filter((property) => !definitions.has(property));
    const closed = names.filter((property) => definitions.get(property)?.readOnly);
    const weighed = site.policy.refresh.weights[objectType].map(({ property }) => property);
    const unknown = [...new Set(weighed)].filter((property) => !definitions.has(property));
    if (unknown.length > 0) {
      const seen = `uses weights for properties or choices that HubSpot does not have: ${unknown.join(', ')}`;
      return warn(name, seen, 'correct or remove these rows of refresh.weights');
    }
    const lines = [
      ...(missing.length > 0 ? [`not in the portal: ${missing.join(', ')}`] : []),
      ...(closed.length > 0 ? [`read-only: ${closed.join(', ')}`] : []),
    ];
    const open = names.length - missing.length - closed.length;
    if ([...missing, ...closed].some((property) => named.has(property)))
      return warn(
        name,
        lines.join('; '),
        'these rules have no effect: create the properties or remove the rules',
      );
    const seen = lines.length > 0 ? `; skipped default fields: ${lines.join('; ')}` : '';
    return ok(name, `${lines.length > 0 ? open : `all ${open}`} can be written${seen}`);
  });
}

const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  industry: KNOWN_INDUSTRIES,
  seniority: KNOWN_SENIORITIES,
};
/** Maximum number of missing choices to name for each property. */
const MOST_NAMED = 5;

/** Finds known values of the data service for which a property has no choice. */
export function choicesCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const name = `choices of ${objectType}`;
  return runCheck(name, SCOPE_ADVICE, async () => {
    const definitions = await site.services.crm.definitions(objectType);
    const lacking = targetsOf(site, objectType).flatMap(({ property, from }) => {
      const unmatched = unmatchedValues(definitions.get(property), KNOWN_VALUES[String(from)] ?? []);
      const more = unmatched.length > MOST_NAMED ? ' and others' : '';
      const some = unmatched.slice(0, MOST_NAMED).join(', ');
      return unmatched.length > 0
        ? [`${property} lacks ${counted(unmatched.length, 'choice')}: ${some}${more}`]
        : [];
    });
    if (lacking.length === 0) return ok(name, 'a choice for each known value');
    return warn(name, lacking.join('; '), 'add or show these choices in HubSpot, and see: unmapped');
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
  if (apart.length === 0) return ok(name, 'has all properties of the job');
  const names = [...new Set(apart.map(({ property }) => property))].join(', ');
  const seen = `does not have ${names}: a contact may then show the job of one employer and the name of another`;
  return warn(name, seen, "leave out group: 'none' in the policy's rules of these properties");
}

/** Lists the validation rules of the account's admin. HubSpot applies them to values that an app writes. */
export function valueRulesCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const name = `value rules of ${objectType}`;
  return runCheck(name, SCOPE_ADVICE, async () => {
    const path = `/crm/property-validations/{version}/${objectType === 'contacts' ? '0-1' : '0-2'}`;
    const { status, body } = await askHubSpot(site, path);
    const returned = status === 200 ? valueRulesSchema.safeParse(body).data : undefined;
    if (!returned)
      return warn(
        name,
        `HubSpot does not return them (status ${status})`,
        'see the rules of the properties in HubSpot',
      );
    const targets = new Set(targetsOf(site, objectType).map(({ property }) => property));
    const rules = returned.results.filter(({ propertyName }) => targets.has(propertyName)).flatMap(linesOf);
    const rest = 'HubSpot reports required properties only when a write fails';
    if (rules.length === 0) return ok(name, `no rule on written properties; ${rest}`);
    return warn(
      name,
      rules.join('; '),
      'HubSpot refuses values that break a rule: relax the rule, or remove the field',
    );
  });
}

type PropertyRules = ReturnType<typeof valueRulesSchema.parse>['results'][number];

function linesOf({ propertyName, propertyValidationRules }: PropertyRules): string[] {
  return propertyValidationRules.map(({ ruleType, ruleArguments }) =>
    [propertyName, ruleType, ...ruleArguments].join(' '),
  );
}

function targetsOf({ policy }: Site, objectType: ObjectType): FieldRule[] {
  return policy.fields[objectType].filter(({ write }) => write !== 'never');
}
