import {
  OBJECT_TYPES,
  type ObjectType,
  type PropertyDefinition,
  type PropertyDefinitions,
} from '#shared/crm';
import { enrichmentProperties, fittingFaults, ruleFaults } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { type Check, fail, ok, warn } from './check.ts';
import { runCheck } from './run-check.ts';
import type { Site } from './site.ts';

const SCOPE_ADVICE = 'give the app the scopes of infra/hubspot-app and upload it again';

/** Checks the rules of the policy's `whom` for conflicts with each other and with the HubSpot account. */
export function rulesCheck(site: Pick<Site, 'policy' | 'services'>, objectType: ObjectType): Promise<Check> {
  const name = `rules for ${objectType}`;
  return runCheck(name, SCOPE_ADVICE, async () => {
    const rules = site.policy.whom[objectType];
    if (!rules) return ok(name, 'none: every record may be looked up');
    const definitions = await definitionsOf(site);
    if (!rules.some(({ enrich, onRequest }) => enrich || onRequest))
      return warn(name, 'no rule allows a lookup, so none is bought', `change policy.whom.${objectType}`);
    const faults = ruleFaults(site.policy, objectType, definitions);
    if (faults.length === 0)
      return ok(
        name,
        `${counted(rules.length, 'rule')}, in this order: ${rules.map((rule) => rule.name).join(', ')}`,
      );
    return faulty(name, faults, `policy.whom.${objectType}`);
  });
}

/** Checks the retention rules and, for contacts, the notice rules. */
export async function privacyRulesChecks(
  site: Pick<Site, 'policy' | 'services'>,
  objectType: ObjectType,
): Promise<readonly Check[]> {
  const { retention, notice } = site.policy.privacy;
  const checkOf = (name: string, rules: Parameters<typeof fittingFaults>[0], setting: string) =>
    runCheck(name, SCOPE_ADVICE, async () => {
      const faults = fittingFaults(rules, objectType, await definitionsOf(site));
      if (faults.length > 0) return faulty(name, faults, `policy.privacy.${setting}`);
      return ok(name, `${counted(rules.length, 'rule')}: ${rules.map((rule) => rule.name).join(', ')}`);
    });
  const kept = retention[objectType] ?? [];
  const due = objectType === 'contacts' ? notice : [];
  return Promise.all([
    ...(kept.length > 0 ? [checkOf(`retention of ${objectType}`, kept, `retention.${objectType}`)] : []),
    ...(due.length > 0 ? [checkOf('notice rules', due, 'notice')] : []),
  ]);
}

function faulty(name: string, faults: ReturnType<typeof ruleFaults>, setting: string): Check {
  const seen = faults.map(({ rule, problem }) => `"${rule}": ${problem}`).join('; ');
  const isBroken = faults.some(({ code }) => code === 'unknown-property' || code === 'unknown-option');
  return (isBroken ? fail : warn)(name, seen, `change ${setting}`);
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
