import { type Digest, dayOf, isTimeZone, zoneInForce } from '#shared/kernel';
import { CHAIN_START, canonical, hashOf } from './chain.ts';
import { LOG_PROBLEMS, type LogProblemCode } from './log-problems.ts';
import { type EntryEffect, replay } from './replay.ts';
import type { LedgerEntry, OpenReservation, Totals } from './schemas.ts';
import { followUse, totalsSetBack, type UseByDay, wrongTimes } from './set-back.ts';
import type { LedgerStore } from './store.ts';
import { EMPTY_TOTALS, keepNeeded } from './totals.ts';

export interface LogProblem {
  readonly seq: number;
  readonly code: LogProblemCode;
  /** The sentence of the code, for the operator. */
  readonly problem: string;
}

function logProblem(seq: number, code: LogProblemCode): LogProblem {
  return { seq, code, problem: LOG_PROBLEMS[code] };
}

export interface LogReport {
  /** Number of entries that were read. */
  readonly entries: number;
  /** Problems, oldest first. Empty if the log proves its balance. */
  readonly problems: readonly LogProblem[];
  /** Totals computed from all entries' amounts, regardless of the totals that the entries state. */
  readonly totals: Totals;
}

export interface VerifyRules {
  readonly digest: Pick<Digest, 'sha256'>;
  /**
   * The entry before the first entry to verify; absent if this is entry 1. The totals of this entry are trusted. The
   * periods of a set-back entry are also trusted, because they are computed from the whole log.
   */
  readonly after?: LedgerEntry | undefined;
  /**
   * Hashes of entries by number, from a second source: the questions that were sent. Only this source reveals a log
   * that lost its newest entries, because the remaining entries still prove their balance.
   */
  readonly witnesses?: ReadonlyMap<number, string> | undefined;
}

/**
 * Replays a log and checks every entry: its place, hash, time, day, kind, and the balance after the entry. Each balance
 * is checked against the previous balance, so a fault is not reported again for every later entry.
 * @param entries one account's log, oldest first, starting with entry 1 or with the entry after `rules.after`.
 */
export async function verifyLog(
  entries: AsyncIterable<LedgerEntry> | Iterable<LedgerEntry>,
  rules: VerifyRules,
): Promise<LogReport> {
  const problems: LogProblem[] = [];
  const ids = new Set<string>();
  let totals = rules.after?.totals ?? EMPTY_TOTALS;
  let previous = rules.after;
  const usageByDay: UseByDay | undefined = rules.after ? undefined : new Map();
  let count = 0;
  for await (const entry of entries) {
    const timeZone = isTimeZone(entry.timeZone) ? entry.timeZone : 'UTC';
    const effect = replay(entry, previous?.open ?? [], timeZone);
    if (usageByDay) followUse(usageByDay, entry, effect.movement);
    const after = changeOfTotals(effect, { entry, timeZone, previous, usageByDay });
    const found: LogProblemCode[] = [
      ...placeProblems(entry, previous),
      ...zoneProblems(entry, previous),
      ...hashProblems(entry, { previous, digest: rules.digest }),
      ...idProblems(entry, ids),
      ...witnessProblems(entry, rules.witnesses),
      ...(effect.kind === 'illegal'
        ? [effect.why]
        : balanceProblems(entry, { totals: after(previous?.totals ?? EMPTY_TOTALS), open: effect.open })),
    ];
    problems.push(...found.map((code) => logProblem(entry.seq, code)));
    totals = after(totals);
    ids.add(entry.id);
    previous = entry;
    count += 1;
  }
  return { entries: count, problems: [...problems, ...lostEnd(previous, rules.witnesses)], totals };
}

/** Number of entries that a check of the newest entries reads. */
export const CHECKED_ENTRIES = 50;

export interface BooksCheck extends Pick<LogReport, 'entries' | 'problems'> {
  /** Whether these entries are the whole log. */
  readonly isWhole: boolean;
}

/** Verifies the newest entries. The whole log is verified at a person's request. */
export async function verifyNewest(
  store: LedgerStore,
  { digest }: Pick<VerifyRules, 'digest'>,
): Promise<BooksCheck> {
  const { seq: lastSeq = 0 } = (await store.newest()) ?? {};
  const fromSeq = Math.max(1, lastSeq - CHECKED_ENTRIES);
  const read = await store.entries({ fromSeq, limit: CHECKED_ENTRIES + 1 });
  const isWhole = lastSeq <= CHECKED_ENTRIES;
  const after = isWhole ? undefined : read[0];
  const { entries, problems } = await verifyLog(after ? read.slice(1) : read, { digest, after });
  return { entries, problems, isWhole };
}

function witnessProblems({ seq, hash }: LedgerEntry, witnesses: VerifyRules['witnesses']): LogProblemCode[] {
  const witness = witnesses?.get(seq);
  const isConsistent = witness === undefined || witness === hash;
  return isConsistent ? [] : ['other-entry-sent'];
}

/** Finds missing entries at the end of the log. They existed, because requests refer to them. */
function lostEnd(
  last: LedgerEntry | undefined,
  witnesses: VerifyRules['witnesses'] = new Map(),
): LogProblem[] {
  const lost = [...witnesses.keys()].filter((seq) => seq > (last?.seq ?? 0));
  return lost.sort((a, b) => a - b).map((seq) => logProblem(seq, 'entry-lost'));
}

function zoneProblems({ timeZone, atMs }: LedgerEntry, previous: LedgerEntry | undefined): LogProblemCode[] {
  if (!isTimeZone(timeZone)) return ['unknown-time-zone'];
  const isInForce = zoneInForce(previous, timeZone, atMs) === timeZone;
  return isInForce ? [] : ['time-zone-changed'];
}

function placeProblems(entry: LedgerEntry, previous: LedgerEntry | undefined): LogProblemCode[] {
  const expectedSeq = (previous?.seq ?? 0) + 1;
  const isOther = entry.account !== (previous?.account ?? entry.account);
  return [
    ...thatHold({ 'number-skipped': entry.seq !== expectedSeq, 'other-account': isOther }),
    ...timeProblems(entry, previous),
  ];
}

function timeProblems({ kind, atMs }: LedgerEntry, previous: LedgerEntry | undefined): LogProblemCode[] {
  const isBefore = atMs < (previous?.atMs ?? 0);
  if (kind === 'set-back') return isBefore ? [] : ['not-set-back'];
  return isBefore ? ['time-before'] : [];
}

function hashProblems(
  entry: LedgerEntry,
  { previous, digest }: { previous: LedgerEntry | undefined; digest: Pick<Digest, 'sha256'> },
): LogProblemCode[] {
  const { hash, ...rest } = entry;
  return thatHold({
    'contents-changed': hashOf(rest, digest) !== hash,
    unchained: entry.previousHash !== (previous?.hash ?? CHAIN_START),
  });
}

/** Checks that each id is booked a single time. A repeat is a double reservation, charge or grant. */
function idProblems({ id, kind, reservationId }: LedgerEntry, ids: ReadonlySet<string>): LogProblemCode[] {
  const expected = reservationId === undefined ? id : `${reservationId}:${kind}`;
  return thatHold({
    'wrong-id': id !== expected,
    'booked-twice': ids.has(id),
    'posted-before': kind === 'late' && ids.has(`${reservationId}:posted`),
  });
}

interface Balanced {
  readonly entry: LedgerEntry;
  readonly timeZone: string;
  readonly previous: LedgerEntry | undefined;
  /** Absent if the log is not read from its first entry. */
  readonly usageByDay: UseByDay | undefined;
}

/** Returns the entry's change of the totals. */
function changeOfTotals(
  { book, open }: EntryEffect,
  { entry, timeZone, previous, usageByDay }: Balanced,
): (before: Totals) => Totals {
  const day = dayOf(entry.atMs, timeZone);
  if (entry.kind === 'set-back' && previous) {
    const { periods, leads, setBack } = usageByDay
      ? totalsSetBack(previous, { use: usageByDay, at: entry, open })
      : { ...entry.totals, setBack: wrongTimes(previous, entry) };
    return ({ people: _, ...before }) => ({ ...before, periods, leads, setBack });
  }
  return (before) => keepNeeded(book(before), { day, open });
}

function balanceProblems(
  entry: LedgerEntry,
  after: { totals: Totals; open: readonly OpenReservation[] },
): LogProblemCode[] {
  return thatHold({
    'wrong-totals': canonical(after.totals) !== canonical(entry.totals),
    'wrong-reservations': !sameReservations(after.open, entry.open),
  });
}

function thatHold(found: Partial<Record<LogProblemCode, boolean>>): LogProblemCode[] {
  return (Object.keys(found) as LogProblemCode[]).filter((code) => found[code]);
}

/** Compares reservations in any order. */
function sameReservations(a: readonly OpenReservation[], b: readonly OpenReservation[]): boolean {
  const sortedText = (open: readonly OpenReservation[]) => open.map(canonical).sort().join();
  return sortedText(a) === sortedText(b);
}
