import { applyPolicy, comparePolicies } from '#shared/extensions/policy-change';
import { type PolicyInput, parsePolicy } from '#shared/field-policy';
import type { RecordName } from './hubspot-portal.ts';
import { undo } from './steps.ts';
import type { World } from './world.ts';

export type PolicyChange = Omit<PolicyInput, 'budgets'>;

export function policyOf(input: PolicyChange) {
  return parsePolicy({ budgets: { perDay: 1_000 }, version: 'another', ...input });
}

/** Input of an operator's command under a policy. */
export function operatorOf(world: World, policy = world.policy) {
  return { ...world.operator(), policy };
}

/** `policy compare` */
export function compared(world: World, input: PolicyChange) {
  return comparePolicies(operatorOf(world), { before: world.policy, after: policyOf(input) });
}

/** `policy apply` */
export function applied(world: World, input: PolicyChange, id = 'apply-1') {
  return applyPolicy(operatorOf(world, policyOf(input)), { id });
}

/** Runs `undo --apply`. @returns the number of restored values. */
export async function undone(world: World, id = 'apply-1'): Promise<number> {
  let restored = 0;
  for (const state of await world.states()) {
    const result = await undo(world, state, { isChosen: ({ backfillId }) => backfillId === id });
    if (typeof result !== 'string') restored += result.restored.length;
  }
  return restored;
}

/** HubSpot's values by record, without our statuses and HubSpot's own dates. */
export async function heldValues(world: World): Promise<Record<string, Record<string, string>>> {
  const shown = (await world.states()).map(async (record: RecordName) => {
    const properties = Object.entries(await world.portal.properties(record));
    const telling = properties.filter(([name]) => !/^(?:enrichment_|(?:hs_)?lastmodified)/.test(name));
    return [record.id, Object.fromEntries(telling)] as const;
  });
  return Object.fromEntries(await Promise.all(shown));
}
