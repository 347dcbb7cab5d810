import type { ObjectType } from '#shared/crm';
import { type Admission, admissionOf, type Policy } from '#shared/field-policy';
import type { Question } from '#shared/questions';
import type { RecordState } from '#shared/records';
import type { QuestionOption } from '#shared/vendor';
import { planQuestions } from '../ask/plan.ts';
import { worstCaseOf } from '../ask/worst-case.ts';
import { knownProperties } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { createWriteComparison, type WriteComparison } from './comparison.ts';
import { effectOf, planStored } from './effects.ts';
import { type Group, wantedGroups } from './groups.ts';
import { type ReadRecord, readGroup } from './read-group.ts';
import { reusableAnswer } from './stored-answer.ts';

/** Number of known records that one rule decides about, under each policy. */
export interface RuleCount {
  readonly objectType: ObjectType;
  /** Absent for a policy without rules for the object type. Such a policy admits every record. */
  readonly rule?: string | undefined;
  readonly before: number;
  readonly after: number;
}

export interface PolicyComparison {
  readonly writes: WriteComparison;
  readonly rules: readonly RuleCount[];
  /** Highest cost in credits if every record is refreshed once. Budgets only spread it over more days. */
  readonly nextCycle: { readonly before: number; readonly after: number };
  /**
   * Number of records, by option, whose stored answer lacks an option that the new policy buys. The next refresh buys it.
   */
  readonly lacking: Readonly<Partial<Record<QuestionOption, number>>>;
}

interface Comparing {
  readonly before: Policy;
  readonly after: Policy;
  /** Called during the comparison with the number of records read so far. */
  readonly onProgress?: (seen: number) => void;
  readonly signal?: AbortSignal | undefined;
}

type Which = 'before' | 'after';

/**
 * Compares two policies by stored answers and present values. It sends no question and writes nothing. Its memory does
 * not grow with the number of records.
 */
export async function comparePolicies(
  services: EnrichmentServices,
  { before, after, onProgress, signal }: Comparing,
): Promise<PolicyComparison> {
  const writes = createWriteComparison();
  const rules = new Map<string, RuleCount>();
  const nextCycle = { before: 0, after: 0 };
  const lacking: Partial<Record<QuestionOption, number>> = {};
  const lack = (option: QuestionOption) => {
    lacking[option] = (lacking[option] ?? 0) + 1;
  };
  const consider = (which: Which, admission: Admission, read: ReadRecord) => {
    const { objectType } = read.held;
    const { rule } = admission;
    const key = JSON.stringify([objectType, rule]);
    const known = rules.get(key) ?? { objectType, rule, before: 0, after: 0 };
    rules.set(key, { ...known, [which]: known[which] + 1 });
    nextCycle[which] += highestPrice(admission, read);
  };
  for await (const group of wantedGroups(services, isLiving)) {
    signal?.throwIfAborted();
    await compareGroup(services, group, { before, after, writes, consider, lack });
    onProgress?.(group.seen);
  }
  const byCount = (a: RuleCount, b: RuleCount) => b.before + b.after - (a.before + a.after);
  return { writes: writes.result(), rules: [...rules.values()].sort(byCount), nextCycle, lacking };
}

function isLiving({ forgottenAtMs, mergedInto }: RecordState): boolean {
  return forgottenAtMs === undefined && mergedInto === undefined;
}

interface Sums extends Pick<Comparing, Which> {
  readonly writes: ReturnType<typeof createWriteComparison>;
  readonly consider: (which: Which, admission: Admission, read: ReadRecord) => void;
  readonly lack: (option: QuestionOption) => void;
}

async function compareGroup(
  services: EnrichmentServices,
  group: Group,
  { before, after, writes, consider, lack }: Sums,
): Promise<void> {
  const { objectType } = group;
  const read = await readGroup(services, group, { policies: [before, after] });
  for (const reason of read.left) writes.leave(reason);
  const reusable = await Promise.all(
    read.found.map((each) => reusableAnswer({ ...services, policy: before }, each)),
  );
  for (const answer of reusable) if (typeof answer === 'string') writes.leave(answer);
  const answers = reusable.filter((answer) => typeof answer !== 'string');
  const effectsUnder = async (which: Which, policy: Policy) => {
    const isKnown = await knownProperties({ ...services, policy }, objectType);
    for (const each of [...read.found, ...read.others]) {
      const { record, readAtMs: nowMs } = each.held;
      consider(which, admissionOf(policy, record, { nowMs, isKnown }), each);
    }
    const planned = await planStored(services, policy, { objectType, answers, read });
    return planned.map((plan) => effectOf(services, plan));
  };
  const effects = await effectsUnder('before', before);
  for (const [index, effect] of (await effectsUnder('after', after)).entries()) {
    const former = effects[index];
    if (former) writes.add({ objectType, before: former, after: effect });
  }
  const isKnown = await knownProperties({ ...services, policy: after }, objectType);
  for (const [index, each] of read.found.entries()) {
    const answer = reusable[index];
    if (answer === undefined || typeof answer === 'string') continue;
    const { record, readAtMs: nowMs } = each.held;
    const [question] = refreshQuestions(admissionOf(after, record, { nowMs, isKnown }), each);
    for (const option of question?.options ?? []) if (!answer.options.includes(option)) lack(option);
  }
}

/** Returns the highest price of a refresh by the worker's own plan, credits; 0 if no refresh looks the record up. */
function highestPrice(admission: Admission, read: ReadRecord): number {
  return Math.min(worstCaseOf(refreshQuestions(admission, read)), admission.maxCredits);
}

/** Returns the questions of a refresh by the worker's own plan; none if no refresh looks the record up. */
function refreshQuestions(
  { policy, enrich, refresh, maxCredits }: Admission,
  { held: { record, state }, ownership }: ReadRecord,
): readonly Question[] {
  const { staleAtMs, beforeDeletion } = state;
  if (!enrich || !refresh || staleAtMs === undefined || beforeDeletion !== undefined) return [];
  const plan = planQuestions({ record, policy, maxCredits, ...ownership });
  return plan.kind === 'skip' ? [] : plan.questions;
}
