import {
  isAboutPerson,
  OBJECT_TYPE_ROWS,
  OBJECT_TYPES,
  type ObjectType,
  type PropertyDefinition,
  type PropertyDefinitions,
} from '#shared/crm';
import {
  DEFAULT_FIELDS,
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
import { askHubSpot, type Check, type CheckRow, commandFor, runChecks, type Site, seen } from './check.ts';
import { valueRulesSchema } from './schemas.ts';

type RulesSite = Pick<Site, 'policy' | 'services'>;

/** A check of one object type that asks HubSpot. */
type OfType<Checked = Site> = (objectType: ObjectType) => CheckRow<Checked>;

const failed = 'hubspot-refuses-read';

export const propertiesCheck: OfType = (objectType) => ({
  name: `properties of ${objectType}`,
  failed,
  see: async (site) => {
    const command = commandFor(site, 'setup');
    const wish = { objectType, dryRun: true };
    const ensured = await ensureEnrichmentProperties(site.services.hubSpot, wish);
    const { created, revived, optionsAdded, conflicts } = ensured;
    if (conflicts.length > 0) return seen('properties-conflict', { conflicts: [...conflicts], command });
    const missing = [...created, ...revived];
    if (missing.length > 0) return seen('properties-missing', { properties: missing, command });
    if (optionsAdded.length > 0) return seen('options-missing', { properties: [...optionsAdded], command });
    return seen('properties-right', {});
  },
});

const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  industry: KNOWN_INDUSTRIES,
  seniority: KNOWN_SENIORITIES,
};
const MOST_NAMED = 5;

/** The checks of the policy's fields, besides its rules. */
export const POLICY_CHECKS: readonly OfType[] = [
  /** Finds policy fields without effect, because the property is missing in the portal or read-only. */
  (objectType) => ({
    name: `policy fields of ${objectType}`,
    failed,
    see: async (site) => {
      const definitions = await site.services.crm.definitions(objectType);
      const targets = targetsOf(site, objectType);
      const named = new Set(targets.filter(({ optional }) => !optional).map(({ property }) => property));
      const names = [...new Set(targets.map(({ property }) => property))];
      const missing = names.filter((property) => !definitions.has(property));
      const readOnly = names.filter((property) => definitions.get(property)?.readOnly);
      const weighed = site.policy.refresh.weights[objectType].map(({ property }) => property);
      const unknown = [...new Set(weighed)].filter((property) => !definitions.has(property));
      if (unknown.length > 0) return seen('weights-unknown', { properties: unknown });
      const isDefault = (property: string) =>
        DEFAULT_FIELDS[objectType].some((field) => field.property === property);
      const isWithoutEffect =
        missing.some(isDefault) || [...missing, ...readOnly].some((property) => named.has(property));
      const fields = names.length - missing.length - readOnly.length;
      const code = isWithoutEffect ? 'fields-without-effect' : 'fields-writable';
      return seen(code, { fields, missing, readOnly });
    },
  }),
  /** Finds known values of the data service for which a property has no choice. */
  (objectType) => ({
    name: `choices of ${objectType}`,
    failed,
    see: async (site) => {
      const definitions = await site.services.crm.definitions(objectType);
      const lacking = targetsOf(site, objectType).flatMap(({ property, from }) => {
        const definition = definitions.get(property);
        if (definition?.type !== 'enumeration') return [];
        const unmatched = (KNOWN_VALUES[String(from)] ?? []).filter(
          (text) => matchOption(text, definition.options) === undefined,
        );
        const some = unmatched.slice(0, MOST_NAMED);
        return unmatched.length > 0 ? [{ property, choices: unmatched.length, some }] : [];
      });
      return lacking.length === 0 ? seen('choices-fit', {}) : seen('choices-missing', { lacking });
    },
  }),
  (objectType) => ({
    name: `value rules of ${objectType}`,
    failed,
    see: async (site) => {
      const path = `/crm/property-validations/{version}/${OBJECT_TYPE_ROWS[objectType].typeId}`;
      const { status, body } = await askHubSpot(site, path);
      const returned = status === 200 ? valueRulesSchema.safeParse(body).data : undefined;
      if (!returned) return seen('value-rules-not-returned', { status });
      const targets = new Set(targetsOf(site, objectType).map(({ property }) => property));
      const rules = returned.results
        .filter(({ propertyName }) => targets.has(propertyName))
        .flatMap(({ propertyName, propertyValidationRules }) =>
          propertyValidationRules.map(({ ruleType, ruleArguments }) =>
            [propertyName, ruleType, ...ruleArguments].join(' '),
          ),
        );
      return rules.length === 0 ? seen('no-value-rules', {}) : seen('value-rules', { rules });
    },
  }),
];

/** Finds job properties that the policy may update without the rest of the job. */
export const EMPLOYER_GROUP: CheckRow<Site> = {
  name: 'employer group of contacts',
  see: (site) => {
    const apart = targetsOf(site, 'contacts').filter((rule) => rule.group === 'none' && isJobField(rule));
    if (apart.length === 0) return seen('job-is-whole', {});
    return seen('job-is-split', { properties: [...new Set(apart.map(({ property }) => property))] });
  },
};

function targetsOf({ policy }: Site, objectType: ObjectType): FieldRule[] {
  return policy.fields[objectType].filter(({ write }) => write !== 'never');
}

/** Checks the rules of the policy's `whom` for conflicts with each other and with the HubSpot account. */
export const rulesOfWhom: OfType<RulesSite> = (objectType) => ({
  name: `rules for ${objectType}`,
  failed,
  see: async (site) => {
    const rules = site.policy.whom[objectType];
    if (!rules) return seen('no-rules', {});
    const definitions = await definitionsOf(site);
    const setting = `policy.whom.${objectType}`;
    if (!rules.some(({ enrich, onRequest }) => enrich || onRequest))
      return seen('no-rule-allows', { setting });
    return fitting(rules, ruleFaults(site.policy, objectType, definitions), setting);
  },
});

/** The checks of the rules of retention and of notices, if the policy has some. */
export function privacyRules({ policy }: RulesSite, objectType: ObjectType): readonly CheckRow<RulesSite>[] {
  const { retention, notice } = policy.privacy;
  const kept = retention[objectType] ?? [];
  const due = isAboutPerson({ objectType }) ? notice : [];
  const rowOf = (name: string, rules: typeof due | typeof kept, setting: string): CheckRow<RulesSite> => ({
    name,
    failed,
    see: async (site) => {
      const faults = fittingFaults(rules, objectType, await definitionsOf(site));
      return fitting(rules, faults, `policy.privacy.${setting}`);
    },
  });
  return [
    ...(kept.length > 0 ? [rowOf(`retention of ${objectType}`, kept, `retention.${objectType}`)] : []),
    ...(due.length > 0 ? [rowOf('notice rules', due, 'notice')] : []),
  ];
}

function fitting(
  rules: readonly { readonly name: string }[],
  faults: ReturnType<typeof ruleFaults>,
  setting: string,
) {
  if (faults.length === 0) return seen('rules-fit', { rules: rules.map(({ name }) => name) });
  const isBroken = faults.some(({ code }) => code === 'unknown-property' || code === 'unknown-option');
  return seen(isBroken ? 'rules-broken' : 'rules-doubtful', { faults: [...faults], setting });
}

async function definitionsOf({ services: { crm } }: RulesSite) {
  const all = OBJECT_TYPES.map(async (type) => [type, withOwn(await crm.definitions(type), type)] as const);
  return Object.fromEntries(await Promise.all(all)) as Record<ObjectType, PropertyDefinitions>;
}

/**
 * Faults of the rules, to print at the start. They do not stop the start, because records wait if a rule cannot be
 * read.
 */
export async function ruleNotes(site: RulesSite): Promise<readonly Check[]> {
  const rows = OBJECT_TYPES.flatMap((type) => [rulesOfWhom(type), ...privacyRules(site, type)]);
  return (await runChecks(rows, site)).filter(({ verdict }) => verdict !== 'ok');
}

/** Adds our own properties to the known ones, because the start and `setup` create them. */
function withOwn(known: PropertyDefinitions, objectType: ObjectType): PropertyDefinitions {
  const own = enrichmentProperties(objectType).map((each): [string, PropertyDefinition] => {
    const { name, type, fieldType, options = [] } = each;
    return [name, { name, type, fieldType, options, readOnly: false }];
  });
  return new Map([...own, ...known]);
}
