import type { Policy } from '#shared/field-policy';
import type { RecordState } from '#shared/records';
import { knownProperties } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { createWriteComparison, type WriteComparison } from './comparison.ts';
import { effectOf, planStored } from './effects.ts';
import { type Group, wantedGroups } from './groups.ts';
import { readGroup } from './read-group.ts';
import { createRefreshCycle, type RefreshCycle } from './refresh-cycle.ts';
import { createRuleComparison, hasRules, type RuleComparison } from './rule-comparison.ts';
import { type ReusableAnswer, reusableAnswer } from './stored-answer.ts';

export interface PolicyComparison {
  readonly writes: WriteComparison;
  /** Records that the rules admit; absent if neither policy has rules. */
  readonly whom?: RuleComparison | undefined;
  readonly refreshCycle: { readonly before: RefreshCycle; readonly after: RefreshCycle };
}

interface Comparing {
  readonly before: Policy;
  readonly after: Policy;
  /** Share of recent lookups that matched, 0 to 1. Absent if there are no recent lookups. */
  readonly matchRate?: number | undefined;
  /** Called during the comparison with the number of records read so far. */
  readonly onProgress?: (seen: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Number of groups processed concurrently. One waits for HubSpot while the other is computed. More groups would use too
 * many of the requests that other apps need.
 */
const CONCURRENT_GROUPS = 2;

/**
 * Compares two policies by stored answers and present values. It sends no question and writes nothing. Its memory does
 * not grow with the number of records.
 */
export async function comparePolicies(
  services: EnrichmentServices,
  { before, after, matchRate, onProgress, signal }: Comparing,
): Promise<PolicyComparison> {
  const writes = createWriteComparison();
  const whom = createRuleComparison({ before, after });
  const cycles = {
    before: createRefreshCycle(before, matchRate),
    after: createRefreshCycle(after, matchRate),
  };
  const running = new Set<Promise<void>>();
  const isWanted = (state: RecordState) =>
    isComparable(state) || (isLiving(state) && hasRules({ before, after }, state.objectType));
  for await (const group of wantedGroups(services, isWanted)) {
    signal?.throwIfAborted();
    if (running.size >= CONCURRENT_GROUPS) await Promise.race(running);
    const work = compareGroup(services, group, { before, after, writes, whom, cycles });
    running.add(work);
    // `Promise.all` below throws a failure of this work.
    work.then(
      () => running.delete(work),
      () => undefined,
    );
    onProgress?.(group.seen);
  }
  await Promise.all(running);
  return {
    writes: writes.result(),
    whom: whom.result(),
    refreshCycle: { before: cycles.before.result(), after: cycles.after.result() },
  };
}

function isLiving({ forgottenAtMs, mergedInto }: RecordState): boolean {
  return forgottenAtMs === undefined && mergedInto === undefined;
}

/** Whether the record has an answer, or will be refreshed. */
function isComparable(state: RecordState): boolean {
  if (!isLiving(state)) return false;
  return state.answeredQuestion !== undefined || state.staleAtMs !== undefined;
}

interface Sums extends Pick<Comparing, 'before' | 'after'> {
  readonly writes: ReturnType<typeof createWriteComparison>;
  readonly whom: ReturnType<typeof createRuleComparison>;
  readonly cycles: Readonly<Record<'before' | 'after', ReturnType<typeof createRefreshCycle>>>;
}

async function compareGroup(services: EnrichmentServices, group: Group, sums: Sums): Promise<void> {
  const { before, after, writes, whom, cycles } = sums;
  const { objectType } = group;
  const read = await readGroup(services, group, { policies: [before, after] });
  for (const reason of read.left) writes.leave(reason);
  const isKnown = {
    before: await knownProperties({ ...services, policy: before }, objectType),
    after: await knownProperties({ ...services, policy: after }, objectType),
  };
  whom.addAll(objectType, [...read.found, ...read.others], isKnown);
  const comparable = read.found.filter(({ held }) => isComparable(held.state));
  const known = await Promise.all(
    comparable.map((each) => reusableAnswer({ ...services, policy: before }, each)),
  );
  for (const each of comparable) {
    cycles.before.add(each, isKnown.before);
    cycles.after.add(each, isKnown.after);
  }
  const answers: ReusableAnswer[] = [];
  for (const answer of known)
    if (typeof answer === 'string') writes.leave(answer);
    else answers.push(answer);
  const planning = { objectType, answers, read };
  const planned = {
    before: await planStored(services, before, planning),
    after: await planStored(services, after, planning),
  };
  for (const [index, { held }] of answers.entries()) {
    const [before, after] = [planned.before[index], planned.after[index]];
    if (!before || !after) continue;
    const effects = { before: effectOf(services, before), after: effectOf(services, after) };
    writes.add({ name: nameOf(held), ...effects });
  }
}

function nameOf({ objectType, id }: ClaimedRecord) {
  return { objectType, id };
}
