import {
  barredBy,
  type ClaimedRecord,
  type EnrichmentServices,
  isFresh,
  knownOf,
  type Plan,
  paidFor,
  planFromRecord,
  type RecordClaim,
  readRecords,
  wasUndone,
  worstCaseOf,
} from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { assert, counted, DAY_MS } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { covers, LOOKUPS, priceOfMiss, priceOfQuestion, type Question, questionKey } from '#shared/questions';
import { because, explanationText, newRecordState, type Outcome, recordKind } from '#shared/records';
import { change } from '#shared/store';
import { orderOf } from './advance.ts';
import type { Backfill, Member } from './schemas.ts';
import { type BackfillItems, backfillKind, memberKind, membersPartition } from './stored-kinds.ts';
import { type Kind, quoted, sorted } from './transitions.ts';

export type QuoteServices = EnrichmentServices &
  BackfillItems & {
    /** Returns the match rate of the last 30 days; `undefined` if it is not known. */
    readonly matchRate: () => Promise<number | undefined>;
  };

export interface RecordIdPage {
  readonly ids: readonly string[];
  /** The last id that was checked, even if it was filtered out of the page. */
  readonly afterId: string | undefined;
  readonly isLast: boolean;
}

interface Sorting {
  readonly backfill: Backfill;
  readonly page: RecordIdPage;
  readonly firstQuestions: FirstQuestions;
}

/** Time after which the members of a backfill expire. It is longer than any backfill with a reasonable budget. */
const MEMBERS_KEPT_MS = 500 * DAY_MS;

/**
 * Sorts one page of records into records to look up and records to leave out. Costs no credits, because it reads only
 * HubSpot and our own tables. It can be repeated for the same page.
 */
export async function sortPage(
  services: QuoteServices,
  { backfill, page, firstQuestions }: Sorting,
): Promise<Backfill> {
  const { found, missing, failed } = await read(services, backfill, page.ids);
  const gone = missing.map(() => 'No longer in HubSpot.');
  const unread = failed.map(() => 'HubSpot did not return it.');
  const leftOut = [...gone, ...unread];
  const results = await Promise.all(
    found.map(async (held) => ({ held, result: await sortRecord(services, held) })),
  );
  const members: Sortable[] = [];
  const rules: string[] = [];
  for (const { held, result } of results) {
    if (result.kind === 'left-out') {
      leftOut.push(explanationText(result.reason));
      continue;
    }
    members.push(memberOf(services, held.id, { sorted: result, firstQuestions }));
    if (held.admission.rule !== undefined) rules.push(held.admission.rule);
  }
  const kinds = members.map(({ kind }) => kind);
  const next = sorted(backfill, { afterId: page.afterId, leftOut, members: kinds, rules });
  await Promise.all(members.map((member) => writeMember(services, next, member)));
  const nextState = page.isLast ? quoted(next, await services.matchRate()) : next;
  const stored = await store(services, backfill, nextState);
  if (stored !== nextState) await firstQuestions.load(stored);
  return stored;
}

interface Sortable {
  readonly id: string;
  readonly kind: Kind;
  readonly first?: FirstQuestion | undefined;
}

type MemberInput = Pick<Sorting, 'firstQuestions'> & {
  readonly sorted: Extract<SortedRecord, { kind: 'member' }>;
};

/**
 * Returns the member. If several records have the same question, the first record pays, and the others reuse its
 * answer.
 */
function memberOf({ policy }: QuoteServices, id: string, { sorted, firstQuestions }: MemberInput): Sortable {
  const { first, known } = sorted;
  const reusable = known ?? firstQuestions.take(id, first);
  return { id, kind: kindOf(sorted, policy, reusable), ...(!reusable && { first }) };
}

async function read(services: QuoteServices, { scope }: Backfill, ids: readonly string[]) {
  const { objectType } = scope;
  const run = { id: 'quote', purpose: 'backfill', openedAtMs: 0, credits: 0 } as const;
  const held = await Promise.all(
    ids.map(async (id): Promise<RecordClaim> => {
      const stored = await services.records.read(recordKind.key({ objectType, id }));
      return { objectType, id, run, state: stored?.value ?? newRecordState(objectType, id) };
    }),
  );
  return readRecords(services, objectType, held);
}

/** Stores a member. After a crash, the repeated page overwrites its members. */
async function writeMember(
  { members, digest, clock }: QuoteServices,
  { id: backfillId, strata }: Backfill,
  { id, kind, first }: Sortable,
): Promise<void> {
  const stratum = strata.findIndex(({ name }) => name === kind.name);
  const order = orderOf({ backfillId, id }, digest);
  const untilMs = clock.now() + MEMBERS_KEPT_MS;
  const member = { backfillId, stratum, id, order, ...(first && { first }), untilMs };
  const key = memberKind.key(member);
  await change(members, { key, kind: 'member of a backfill', clock, isMostlyNew: true }, () => ({
    value: member,
  }));
}

/** Returns the state at the start of the sorting, or after an interruption. */
export async function beginSorting(
  services: QuoteServices,
  backfill: Backfill,
): Promise<Pick<Sorting, 'firstQuestions'>> {
  const firstQuestions = createFirstQuestions(services);
  await firstQuestions.load(backfill);
  return { firstQuestions };
}

/**
 * Stores the next state.
 * @returns the stored backfill. If another process has sorted a page in the meantime, this is that process's state.
 */
async function store({ backfills, clock }: QuoteServices, seen: Backfill, next: Backfill): Promise<Backfill> {
  const item = { key: backfillKind.key(seen.id), kind: 'backfill', clock };
  const { value, known } = await change(backfills, item, (known) => {
    const isUnchanged =
      known?.state === 'quoting' && known.seen === seen.seen && known.afterId === seen.afterId;
    return { value: isUnchanged ? next : undefined, known };
  });
  const stored = value ?? known;
  assert(stored !== undefined, 'a backfill is stored before its records are sorted');
  return stored;
}

type Asking = Extract<Plan, { kind: 'ask' }>;

/** A record's first question, which other records may share. */
type FirstQuestion = NonNullable<Member['first']>;

type SortedRecord =
  | {
      readonly kind: 'member';
      readonly plan: Asking;
      /** Highest price that its rule of the policy allows, credits. */
      readonly maxCredits: number;
      readonly first: FirstQuestion;
      /** Set if an answer to the question is stored. */
      readonly known?: KnownAnswer | undefined;
    }
  | { readonly kind: 'left-out'; readonly reason: Explanation };

/** Decides whether a backfill would look up a record. Returns its first question, or the reason why it is left out. */
async function sortRecord(
  services: EnrichmentServices,
  held: Omit<ClaimedRecord, 'run' | 'requested'>,
): Promise<SortedRecord> {
  const { digest } = services;
  const { state } = held;
  if (state.forgottenAtMs !== undefined) return leftOut(because('forgotten'));
  if (state.run) return leftOut(because('in-progress'));
  const lastLook = lastLookOf(services, held);
  if (lastLook) return leftOut(because(lastLook));
  const readRecord = { ...held, run: RUN, requested: false };
  const barred = barredBy(readRecord, services.clock.now());
  if (barred) return leftOut(barred.reason);
  const plan = planFromRecord(services, readRecord, paidFor(services, readRecord));
  if (plan.kind === 'skip') return leftOut(because(plan.reason));
  const [question] = plan.questions;
  const first = { questionKey: questionKey(question, digest), options: question.options };
  const known = await knownOf(services, question, state);
  if (known?.kind === 'in-doubt') return leftOut(because('charge-unknown'));
  const { maxCredits } = held.admission;
  return { kind: 'member', plan, first, maxCredits, known: known && 'stored' };
}

/** Reason why a record's first question costs nothing. */
type KnownAnswer = 'stored' | 'other-record';

/** Returns the kind of question for a record with its prices, capped by its rule of the policy. */
function kindOf(
  { plan, maxCredits: limit }: Pick<Extract<SortedRecord, { kind: 'member' }>, 'plan' | 'maxCredits'>,
  policy: Policy,
  known: KnownAnswer | undefined,
): Kind {
  const kind = uncappedKind(plan, policy, known);
  const { name, hitCredits, missCredits, maxCredits } = kind;
  if (maxCredits <= limit) return kind;
  return {
    ...kind,
    name: `${name}, at most ${counted(limit, 'credit')}`,
    hitCredits: Math.min(hitCredits, limit),
    missCredits: Math.min(missCredits, limit),
    maxCredits: limit,
  };
}

function uncappedKind({ questions }: Asking, { noMatchCost }: Policy, known: KnownAnswer | undefined): Kind {
  const paid = known ? questions.slice(1) : questions;
  const missOf = (asked: readonly Question[]) =>
    asked.reduce((sum, question) => sum + priceOfMiss(question, noMatchCost), 0);
  if (known)
    return {
      name: [REUSE_WORDS[known], ...paid.map(wordsOf)].join(', else '),
      hitCredits: 0,
      missCredits: missOf(paid),
      maxCredits: worstCaseOf(paid),
      ...(known === 'other-record' && { follows: true }),
    };
  return {
    name: questions.map(wordsOf).join(', else '),
    hitCredits: priceOfQuestion(questions[0]),
    missCredits: missOf(questions),
    maxCredits: worstCaseOf(questions),
  };
}

const REUSE_WORDS = { stored: 'already answered', 'other-record': 'answered with another record' } as const;

function wordsOf({ operation, options }: Question): string {
  return [LOOKUPS[operation].words, ...options.map((option) => `with ${option}`)].join(' ');
}

const RUN = { id: 'quote', purpose: 'backfill', openedAtMs: 0, credits: 0 } as const;

/** Returns why a lookup would repeat the last one in vain; `undefined` if it would not. */
function lastLookOf(
  services: EnrichmentServices,
  known: Pick<ClaimedRecord, 'record' | 'state' | 'admission'>,
): 'fresh' | 'undone-before' | undefined {
  const { outcome } = known.state;
  if (!outcome || !isFresh(services, known)) return undefined;
  if (wasUndone(known.state)) return 'undone-before';
  return LOOKED_UP.has(outcome.kind) ? 'fresh' : undefined;
}

/** Outcomes that the same lookup would repeat. */
const LOOKED_UP: ReadonlySet<Outcome['kind']> = new Set(['enriched', 'unchanged', 'unmatched']);

function leftOut(reason: Explanation): SortedRecord {
  return { kind: 'left-out', reason };
}

interface Asker extends FirstQuestion {
  readonly id: string;
}

/** Records of a quote that ask a question first, by question key. The others reuse its answer. */
interface FirstQuestions {
  /**
   * @returns `undefined` if the record must ask the question itself. Later records with the same question then reuse
   * its answer.
   */
  take(id: string, question: FirstQuestion): KnownAnswer | undefined;
  /** Reads the stored quote again, because another process may have continued it. */
  load(backfill: Backfill): Promise<void>;
}

function createFirstQuestions({ members }: Pick<BackfillItems, 'members'>): FirstQuestions {
  const byKey = new Map<string, readonly Asker[]>();
  const add = (asker: Asker) =>
    byKey.set(asker.questionKey, [...(byKey.get(asker.questionKey) ?? []), asker]);
  return {
    take(id, question) {
      const known = byKey.get(question.questionKey) ?? [];
      if (known.some((asker) => asker.id === id)) return undefined;
      if (known.some((asker) => covers(asker.options, question.options))) return 'other-record';
      add({ ...question, id });
      return undefined;
    },
    async load({ id: backfillId, strata }) {
      byKey.clear();
      for (const stratum of strata.keys())
        for (const { id, first } of await members.list({
          partition: memberKind.partition(membersPartition(backfillId, stratum)),
        }))
          if (first) add({ ...first, id });
    },
  };
}
