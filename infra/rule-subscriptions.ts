import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type Policy, propertiesOfRules } from '#shared/field-policy';
import { WATCHED_PROPERTIES } from '#shared/identity';

interface Subscription {
  readonly subscriptionType: string;
  readonly objectType: 'contact' | 'company';
  readonly propertyName?: string;
  readonly active: boolean;
}

const SINGULAR = { contacts: 'contact', companies: 'company' } as const satisfies Record<ObjectType, string>;
const CHANGE = 'object.propertyChange';
const ALWAYS = 'enrichment_requested';

/**
 * The subscriptions with those that the policy's rules need: a change of a property that a rule reads may admit a record.
 * Changes that neither a rule nor an identity needs are left out.
 */
export function withRuleSubscriptions(
  subscriptions: readonly Subscription[],
  policy: Pick<Policy, 'whom'>,
): readonly Subscription[] {
  const changes = OBJECT_TYPES.flatMap((type) => {
    const names = [...WATCHED_PROPERTIES[type], ALWAYS, ...propertiesOfRules(policy, type).own];
    return [...new Set(names)].map((propertyName) => ({
      ...{ subscriptionType: CHANGE, objectType: SINGULAR[type] },
      ...{ propertyName, active: true },
    }));
  });
  return [...subscriptions.filter(({ subscriptionType }) => subscriptionType !== CHANGE), ...changes];
}
