import { assert, DAY_MS, dayOf, daysUpTo } from '#shared/kernel';
import {
  type Days,
  explanationText,
  matchRateIn,
  newRecordState,
  recordKind,
  yieldsOf,
} from '#shared/records';
import { change } from '#shared/store';
import { type BackfillItems, orderOf } from '../backfill/members.ts';
import type { Backfill } from '../backfill/schemas.ts';
import { backfillKind, memberKind } from '../backfill/stored-kinds.ts';
import { type Kind, quoted, sorted } from '../backfill/transitions.ts';
import { readRecords } from '../read-records.ts';
import type { EnrichmentServices, RecordClaim } from '../services.ts';
import { createFirstQuestions, type FirstQuestions } from './first-questions.ts';
import { type FirstQuestion, kindOf, type SortedRecord, sortRecord } from './sort-record.ts';

export type QuoteServices = EnrichmentServices & BackfillItems & { readonly days: Pick<Days, 'read'> };

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
  const nextState = page.isLast ? quoted(next, await matchRate(services)) : next;
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

const MATCH_RATE_DAYS = 30;

async function matchRate({ days, clock, policy }: QuoteServices): Promise<number | undefined> {
  const today = dayOf(clock.now(), policy.timeZone);
  return matchRateIn(yieldsOf(await days.read(daysUpTo(today, MATCH_RATE_DAYS))));
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
