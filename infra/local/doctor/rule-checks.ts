import {
  isAboutPerson,
  OBJECT_TYPES,
  type ObjectType,
  type PropertyDefinition,
  type PropertyDefinitions,
} from '#shared/crm';
import { enrichmentProperties, fittingFaults, ruleFaults } from '#shared/field-policy';
import { type Check, checkOf } from './check.ts';
import { runHubSpotCheck } from './run-check.ts';
import type { Site } from './site.ts';

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

/** Checks the retention rules and, for contacts, the notice rules. */
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

interface Weighed {
  readonly rules: readonly { readonly name: string }[];
  readonly faults: ReturnType<typeof ruleFaults>;
  readonly setting: string;
}

function fitting(name: string, { rules, faults, setting }: Weighed): Check {
  if (faults.length === 0) return checkOf(name, 'rules-fit', { rules: rules.map((rule) => rule.name) });
  const isBroken = faults.some(({ code }) => code === 'unknown-property' || code === 'unknown-option');
  return checkOf(name, isBroken ? 'rules-broken' : 'rules-doubtful', { faults: [...faults], setting });
}

async function definitionsOf({ services: { crm } }: Pick<Site, 'services'>) {
  return {
    contacts: withOwn(await crm.definitions('contacts'), 'contacts'),
    companies: withOwn(await crm.definitions('companies'), 'companies'),
  };
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
