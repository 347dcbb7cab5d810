import type { ObjectType } from '#shared/crm';
import { ruleFaults } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { type Check, fail, ok, warn } from './check.ts';
import { look } from './look.ts';
import type { Site } from './site.ts';

const SCOPE_ADVICE = 'give the app the scopes of infra/hubspot-app and upload it again';

/** The rules for whom to enrich, against each other and against the HubSpot account. */
export function rulesCheck(site: Site, objectType: ObjectType): Promise<Check> {
  const name = `rules for ${objectType}`;
  return look(name, SCOPE_ADVICE, async () => {
    const rules = site.policy.whom[objectType];
    if (!rules) return ok(name, 'none: every record may be looked up');
    const { crm } = site.services;
    const definitions = {
      contacts: await crm.definitions('contacts'),
      companies: await crm.definitions('companies'),
    };
    const faults = ruleFaults(site.policy, objectType, definitions);
    if (faults.length === 0)
      return ok(
        name,
        `${counted(rules.length, 'rule')}, in this order: ${rules.map((rule) => rule.name).join(', ')}`,
      );
    const seen = faults.map(({ rule, problem }) => `"${rule}": ${problem}`).join('; ');
    const isBroken = faults.some(({ kind }) => kind === 'broken');
    return (isBroken ? fail : warn)(name, seen, `change policy.whom.${objectType}`);
  });
}
