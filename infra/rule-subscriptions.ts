import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OBJECT_TYPE_ROWS, OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type Policy, propertiesOfRules } from '#shared/field-policy';
import { WATCHED_PROPERTIES } from '#shared/identity';

interface Subscription {
  readonly subscriptionType: string;
  readonly objectType: (typeof OBJECT_TYPE_ROWS)[ObjectType]['singular'];
  readonly propertyName?: string;
  readonly active: boolean;
}

/** The part of the HubSpot app's webhooks file that is used here. */
interface WebhooksFile {
  readonly config: { readonly subscriptions: { readonly crmObjects: readonly Subscription[] } };
}

/** Changes in words, such as `contact lifecyclestage`. */
export interface SubscriptionChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const CHANGE = 'object.propertyChange';
const ALWAYS = 'enrichment_requested';
/** Properties without subscriptions. If a file has one for them, HubSpot refuses the whole upload. */
const REFUSED: ReadonlySet<string> = new Set(['hs_lastmodifieddate', 'num_unique_conversion_events']);

const FILE = fileURLToPath(new URL('./hubspot-app/src/app/webhooks/webhooks-hsmeta.json', import.meta.url));

/**
 * Adds the subscriptions that the policy's rules need, because a change of such a property can admit a record.
 * Removes subscriptions to property changes that neither a rule nor an identity needs.
 */
export function withRuleSubscriptions(
  subscriptions: readonly Subscription[],
  policy: Pick<Policy, 'whom'>,
): readonly Subscription[] {
  return OBJECT_TYPES.flatMap((type) => {
    const { singular: objectType } = OBJECT_TYPE_ROWS[type];
    const names = new Set([
      ...WATCHED_PROPERTIES[type],
      ALWAYS,
      ...propertiesOfRules(policy, type).own.filter((name) => !REFUSED.has(name)),
    ]);
    const subscriptionTo = (propertyName: string): Subscription => ({
      ...{ subscriptionType: CHANGE, objectType, propertyName, active: true },
    });
    const own = subscriptions.filter((each) => each.objectType === objectType);
    const kept = own.flatMap((each) => {
      const { subscriptionType, propertyName = '' } = each;
      if (subscriptionType !== CHANGE) return [each];
      return names.delete(propertyName) ? [subscriptionTo(propertyName)] : [];
    });
    return [...kept, ...[...names].map(subscriptionTo)];
  });
}

/**
 * Writes the subscriptions that the policy needs into the file of the HubSpot app. Leaves a complete file unchanged.
 */
export function writeRuleSubscriptions(policy: Pick<Policy, 'whom'>, file = FILE): SubscriptionChange {
  const written = read(file);
  const { subscriptions } = written.config;
  const crmObjects = withRuleSubscriptions(subscriptions.crmObjects, policy);
  const change = changeBetween(subscriptions.crmObjects, crmObjects);
  if (change.added.length + change.removed.length === 0) return change;
  const config = { ...written.config, subscriptions: { ...subscriptions, crmObjects } };
  writeFileSync(file, `${JSON.stringify({ ...written, config }, null, 2)}\n`);
  return change;
}

export interface NeededSubscriptions {
  /** Property changes that only the policy's rules need. */
  readonly needed: readonly string[];
  /** The needed changes that the app's file lacks. Absent if there is no such file, as in the installed package. */
  readonly lacking?: readonly string[];
}

/** Compares the subscriptions that the policy's rules need with the file of the HubSpot app. */
export function neededSubscriptions(policy: Pick<Policy, 'whom'>, file = FILE): NeededSubscriptions {
  const { added: needed } = changeBetween(
    withRuleSubscriptions([], { whom: {} }),
    withRuleSubscriptions([], policy),
  );
  if (!existsSync(file)) return { needed };
  const { crmObjects } = read(file).config.subscriptions;
  return { needed, lacking: changeBetween(crmObjects, withRuleSubscriptions(crmObjects, policy)).added };
}

function read(file: string): WebhooksFile {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function changeBetween(before: readonly Subscription[], after: readonly Subscription[]): SubscriptionChange {
  const [old, next] = [wordsOf(before), wordsOf(after)];
  return {
    added: next.filter((each) => !old.includes(each)),
    removed: old.filter((each) => !next.includes(each)),
  };
}

function wordsOf(subscriptions: readonly Subscription[]): string[] {
  return subscriptions
    .filter(({ active }) => active)
    .map(
      ({ objectType, propertyName, subscriptionType }) => `${objectType} ${propertyName ?? subscriptionType}`,
    );
}
