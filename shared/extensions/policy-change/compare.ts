import type { ObjectType } from '#shared/crm';
import {
  type EnrichmentServices,
  knownProperties,
  planQuestions,
  planStored,
  type WritePlan,
  worstCaseOf,
} from '#shared/enrichment';
import { type Admission, admissionOf, createMark, type Policy } from '#shared/field-policy';
import { holdsOurValue, type KeptReason } from '#shared/ownership';
import type { Question } from '#shared/questions';
import { type Group, type RecordState, wantedGroups } from '#shared/records';
import type { QuestionOption } from '#shared/vendor';
import {
  type NoReusableAnswer,
  type ReadRecord,
  readGroup,
  reusableAnswer,
  type SkipCause,
} from './read-group.ts';

/** Number of known records that one rule decides about, under each policy. */
interface RuleCount {
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

/** Number of records by the effect on one property. `before` is the current policy, `after` is the new policy. */
export interface PropertyDifference {
  /** Written only by the new policy. */
  readonly added: number;
  /** Written by both policies, with different values. */
  readonly changed: number;
  /** Written or kept up to date only by the current policy. */
  readonly lost: number;
  /** The property holds a person's different value. This value stays. */
  readonly protectedBefore: number;
  readonly protectedAfter: number;
  /** Written by the new policy over a person's value. */
  readonly overPeople: number;
}

type Count = keyof PropertyDifference;

/** What an apply writes, or would write. */
export interface Applied {
  readonly records: number;
  readonly values: number;
  /** Due dates of notices that the present rules change. */
  readonly notices: number;
}

interface WriteComparison {
  /** Records with a stored answer to which both policies were applied. */
  readonly records: number;
  /** Records without a usable answer, or skipped, by reason. */
  readonly left: Readonly<Partial<Record<NoReusableAnswer | SkipCause, number>>>;
  readonly totals: PropertyDifference;
  /** Properties with a difference, most differences first. A key is, for example, `contacts.jobtitle`. */
  readonly properties: Readonly<Record<string, PropertyDifference>>;
  /** What `policy apply` would write now under the new policy. */
  readonly apply: Applied;
}

const NONE: PropertyDifference = {
  added: 0,
  changed: 0,
  lost: 0,
  protectedBefore: 0,
  protectedAfter: 0,
  overPeople: 0,
};

const PROTECTED: ReadonlySet<KeptReason | undefined> = new Set([
  ...(['person-wrote', 'cleared', 'unproved', 'not-blank'] as const),
]);

interface Compared {
  readonly objectType: ObjectType;
  readonly before: Effect;
  readonly after: Effect;
}

/**
 * Counts the effects of two policies on stored answers. Holds only sums, whatever the number of records.
 */
function createWriteComparison() {
  const properties = new Map<string, PropertyDifference>();
  const left: Partial<Record<NoReusableAnswer | SkipCause, number>> = {};
  const apply = { records: 0, values: 0, notices: 0 };
  let records = 0;
  return {
    leave: (reason: NoReusableAnswer | SkipCause) => {
      left[reason] = (left[reason] ?? 0) + 1;
    },
    add: ({ objectType, before, after }: Compared) => {
      records += 1;
      const values = Object.keys(after.writes).length;
      const notices = Number(after.changesNotice);
      apply.values += values;
      apply.notices += notices;
      if (values + notices > 0) apply.records += 1;
      for (const property of namesIn(before, after)) {
        const counts = countsOf(property, before, after);
        if (counts.length === 0) continue;
        const key = `${objectType}.${property}`;
        properties.set(key, plus(properties.get(key), counts));
      }
    },
    result: (): WriteComparison => ({
      records,
      left,
      apply,
      totals: [...properties.values()].reduce(sum, NONE),
      properties: Object.fromEntries(
        [...properties].filter(([, difference]) => weight(difference) > 0).sort(byWeight),
      ),
    }),
  };
}

function namesIn(before: Effect, after: Effect): ReadonlySet<string> {
  return new Set([before, after].flatMap(({ writes, kept }) => [...Object.keys(writes), ...kept.keys()]));
}

function countsOf(property: string, before: Effect, after: Effect): Count[] {
  const [oldValue, newValue] = [before.writes[property], after.writes[property]];
  const holds = ({ writes, kept }: Effect) =>
    Object.hasOwn(writes, property) || kept.get(property) === 'same';
  return [
    ...(newValue !== undefined && oldValue === undefined ? (['added'] as const) : []),
    ...(newValue !== undefined && oldValue !== undefined && newValue !== oldValue
      ? (['changed'] as const)
      : []),
    ...(holds(before) && !holds(after) ? (['lost'] as const) : []),
    ...(PROTECTED.has(before.kept.get(property)) ? (['protectedBefore'] as const) : []),
    ...(PROTECTED.has(after.kept.get(property)) ? (['protectedAfter'] as const) : []),
    ...(after.overPeople.includes(property) ? (['overPeople'] as const) : []),
  ];
}

function plus(known: PropertyDifference = NONE, counts: readonly Count[]): PropertyDifference {
  const next: Record<Count, number> = { ...known };
  for (const count of counts) next[count] += 1;
  return next;
}

function sum(a: PropertyDifference, b: PropertyDifference): PropertyDifference {
  const keys = Object.keys(NONE) as Count[];
  return { ...NONE, ...Object.fromEntries(keys.map((key) => [key, a[key] + b[key]])) };
}

/** Returns the number of records with a difference in the property. */
function weight(difference: PropertyDifference): number {
  const { added, changed, lost, protectedBefore, protectedAfter, overPeople } = difference;
  return added + changed + lost + overPeople + Math.abs(protectedAfter - protectedBefore);
}

function byWeight([, a]: [string, PropertyDifference], [, b]: [string, PropertyDifference]): number {
  return weight(b) - weight(a);
}

/** Effect of a policy on one record's stored answer. */
interface Effect {
  /** Values to write, by property, without our statuses. */
  readonly writes: Readonly<Record<string, string>>;
  readonly changesNotice: boolean;
  /** Written properties that hold a person's value now. */
  readonly overPeople: readonly string[];
  /** Reason for each value of the answer that is not written. */
  readonly kept: ReadonlyMap<string, KeptReason>;
}

export const NOTICE_DUE = 'enrichment_notice_due';

/** Whether a plan changes the due date of the notice to the person. */
export function changesNotice(writes: WritePlan['writes']): boolean {
  return Object.hasOwn(writes, NOTICE_DUE);
}

function effectOf({ digest }: Pick<EnrichmentServices, 'digest'>, planned: WritePlan): Effect {
  const { draft, current, filled, writes, kept = [], ownership } = planned;
  const properties = typeof current === 'string' ? {} : current.properties;
  const mark = createMark({ definitions: draft.held.definitions, hash: digest.keyed });
  const isPeoples = (property: string) => {
    const value = properties[property] ?? '';
    // New choices are added to the existing ones.
    if (value.trim() === '' || writes[property]?.startsWith(';')) return false;
    return !holdsOurValue(ownership, property, mark(property, value));
  };
  return {
    writes: Object.fromEntries(filled.map((property) => [property, writes[property] ?? ''])),
    changesNotice: changesNotice(writes),
    overPeople: filled.filter(isPeoples),
    kept: new Map(kept.map(({ property, reason }) => [property, reason])),
  };
}
