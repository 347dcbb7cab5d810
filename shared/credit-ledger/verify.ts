import {
  type Digest,
  dayAfter,
  dayOf,
  daysBetween,
  HOUR_MS,
  isTimeZone,
  monthOfDay,
  unreachable,
  zoneInForce,
} from '#shared/kernel';
import type { EntryDraft } from './next-entry.ts';
import type { Amounts, LedgerEntry, OpenReservation, PeriodTotals, Totals } from './schemas.ts';
import type { LedgerStore } from './store.ts';
import { entryFields } from './stored-kinds.ts';
import {
  add,
  askedForOf,
  EMPTY_TOTALS,
  keepNeeded,
  LEAD_DAYS,
  type Movement,
  move,
  usedByLeads,
  withGrant,
} from './totals.ts';

interface LogProblem {
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

interface VerifyRules {
  readonly digest: Pick<Digest, 'sha256'>;
  /**
   * The entry before the first entry to verify; absent if this is entry 1. The totals of this entry are trusted. The
   * periods of a set-back entry are also trusted, because they are computed from the whole log.
   */
  readonly after?: LedgerEntry | undefined;
  /**
   * Hashes of entries by number, from a second source: the questions that were sent, and the sums of spend. Only this
   * source reveals a log that lost its newest entries, because the remaining entries still prove their balance.
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

/** Finds missing entries at the end of the log. They existed, because requests or the sums refer to them. */
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

/** The effect of an entry on the balance. An illegal entry has no effect, and `why` gives the reason. */
type EntryEffect = {
  /** Adds the entry's amount to the totals before the entry. */
  readonly book: (before: Totals) => Totals;
  /** The entry's change of amounts, if it is about a reservation. */
  readonly movement?: Movement;
  /** Reservations that are open after the entry. */
  readonly open: readonly OpenReservation[];
} & ({ readonly kind: 'legal' } | { readonly kind: 'illegal'; readonly why: LogProblemCode });

/** Computes an entry's effect. @param open the reservations that were open before the entry. */
export function replay(entry: LedgerEntry, open: readonly OpenReservation[], timeZone: string): EntryEffect {
  const today = dayOf(entry.atMs, timeZone);
  switch (entry.kind) {
    case 'pending':
      return reserveStep(entry, { open, today });
    case 'posted':
    case 'voided':
    case 'doubtful':
      return settleStep(entry, open);
    case 'late':
      return lateStep(entry, { open, today });
    case 'grant':
    case 'adjustment':
      return correctStep(entry, { open, today });
    case 'set-back':
      return setBackStep(entry, { open, today });
    default:
      return unreachable(entry.kind);
  }
}

interface Before {
  readonly open: readonly OpenReservation[];
  readonly today: string;
}

function reserveStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  const reservation = reservationOf(entry);
  if (!reservation) return illegal('no-question', open);
  if (open.some(({ id }) => id === reservation.id)) return illegal('already-open', open);
  if (entry.day !== today) return illegal('other-day', open);
  return legal(reservation, { by: { pending: entry.amountCredits }, open: [...open, reservation] });
}

function settleStep(entry: LedgerEntry, open: readonly OpenReservation[]): EntryEffect {
  const reservation = open.find(({ id }) => id === entry.reservationId);
  if (!reservation) return illegal('not-open', open);
  if (!isAbout(entry, reservation)) return illegal('other-reservation', open);
  const others = open.filter((each) => each !== reservation);
  const release = { [reservation.state]: -reservation.amountCredits };
  if (entry.kind === 'posted')
    return legal(reservation, { by: { ...release, posted: entry.amountCredits }, open: others });
  if (entry.amountCredits !== reservation.amountCredits) return illegal('other-amount', open);
  if (entry.kind === 'voided') return legal(reservation, { by: release, open: others });
  if (reservation.state === 'doubtful') return illegal('already-doubtful', open);
  const doubted = { ...reservation, state: 'doubtful' as const };
  return legal(reservation, {
    by: { ...release, doubtful: reservation.amountCredits },
    open: [...others, doubted],
  });
}

function lateStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  const reservation = reservationOf(entry);
  if (!reservation) return illegal('no-question', open);
  if (open.some(({ id }) => id === reservation.id)) return illegal('still-open', open);
  if (entry.day !== today) return illegal('other-day', open);
  return legal(reservation, { by: { posted: entry.amountCredits }, open });
}

function correctStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  if (entry.reservationId !== undefined) return illegal('about-reservation', open);
  if (entry.day !== today) return illegal('other-day', open);
  if (entry.kind === 'grant' && entry.amountCredits < 0) return illegal('negative-grant', open);
  const adjusted = (before: Totals): Totals => ({
    ...before,
    lifetime: { ...before.lifetime, adjusted: before.lifetime.adjusted + entry.amountCredits },
  });
  const book = entry.kind === 'grant' ? (before: Totals) => withGrant(before, entry) : adjusted;
  return { kind: 'legal', book, open };
}

/** Checks a set-back. Its change of the periods follows from the whole log. */
function setBackStep(entry: LedgerEntry, { open, today }: Before): EntryEffect {
  if (entry.reservationId !== undefined) return illegal('about-reservation', open);
  if (entry.amountCredits !== 0) return illegal('has-amount', open);
  if (entry.day !== today) return illegal('other-day', open);
  return { kind: 'legal', book: (before) => before, open: moveReservationsToDay(entry, open) };
}

/** Returns the reservation that a `pending` entry opens. */
function reservationOf(entry: LedgerEntry): OpenReservation | undefined {
  const { seq, reservationId: id, questionKey, operation, purpose, amountCredits, day, atMs } = entry;
  if (id === undefined || questionKey === undefined || operation === undefined || purpose === undefined)
    return undefined;
  if (amountCredits < 0) return undefined;
  const asked = { questionKey, operation, purpose, ...askedForOf(entry) };
  return { id, seq, ...asked, state: 'pending', amountCredits, day, atMs };
}

/** Whether an entry agrees with the facts of its reservation. */
function isAbout(entry: LedgerEntry, reservation: OpenReservation): boolean {
  return (
    entry.questionKey === reservation.questionKey &&
    entry.operation === reservation.operation &&
    entry.purpose === reservation.purpose &&
    entry.record === reservation.record &&
    entry.day === reservation.day &&
    entry.amountCredits >= 0
  );
}

function legal(
  { day, purpose, askedBy }: OpenReservation,
  { by, open }: { by: Partial<Amounts>; open: readonly OpenReservation[] },
): EntryEffect {
  const movement = { day, purpose, askedBy, by };
  return { kind: 'legal', book: (before) => move(before, movement), movement, open };
}

function illegal(why: LogProblemCode, open: readonly OpenReservation[]): EntryEffect {
  return { kind: 'illegal', why, book: (before) => before, open };
}

/** What is wrong with an entry of the log, or with a statement, by code. Each text follows the number of the entry. */
export const LOG_PROBLEMS = {
  'number-skipped': 'Its number does not follow the number of the previous entry.',
  'other-account': 'It belongs to another account.',
  'time-before': 'Its time is before the time of the previous entry.',
  'not-set-back': 'It sets the time back, but its time is not before the previous one.',
  'unknown-time-zone': 'Its time zone does not exist.',
  'time-zone-changed': 'Its time zone changed, although the month had not ended.',
  'contents-changed': 'Its contents do not match its hash.',
  unchained: 'It is not chained to the previous entry.',
  'wrong-id': 'Its id is not that of its reservation and kind.',
  'booked-twice': 'It is booked a second time.',
  'posted-before': 'It books a charge that was posted before.',
  'other-entry-sent': 'A request or the sums of spend refer to another entry with this number.',
  'entry-lost': 'A request or the sums of spend refer to this entry, but it is missing.',
  'wrong-totals': 'Its totals do not follow from its amount.',
  'wrong-reservations': 'Its open reservations do not follow from its kind.',
  'no-question': 'It lacks the question or the purpose of its reservation or charge.',
  'already-open': 'Its reservation is already open.',
  'other-day': 'Its day is not the day of its time.',
  'not-open': 'It settles a reservation that is not open.',
  'other-reservation': 'It contradicts its reservation.',
  'other-amount': 'Its amount is not that of its reservation.',
  'already-doubtful': 'Its reservation was already doubtful.',
  'still-open': 'It is a late charge for a reservation that is still open.',
  'about-reservation': 'It is about a reservation.',
  'negative-grant': 'It grants a negative amount.',
  'has-amount': 'It has an amount.',
  'statement-differs': 'The statement does not match the entries.',
} as const;

export type LogProblemCode = keyof typeof LOG_PROBLEMS;

/** The hash before the first entry. */
export const CHAIN_START = '0'.repeat(64);

/** Completes a draft with its number and with the hash that chains it to all earlier entries. */
export function chain(
  draft: EntryDraft,
  position: { account: string; previous: LedgerEntry | undefined; digest: Digest },
): LedgerEntry {
  const { account, previous, digest } = position;
  const seq = (previous?.seq ?? 0) + 1;
  const unhashed = { ...draft, account, seq, previousHash: previous?.hash ?? CHAIN_START };
  return { ...unhashed, hash: hashOf(unhashed, digest) };
}

/** Computes SHA-256 over the entry's canonical JSON. */
export function hashOf(entry: Omit<LedgerEntry, 'hash'>, digest: Pick<Digest, 'sha256'>): string {
  const { hash: _, ...rest } = { hash: undefined, ...entry };
  return digest.sha256(canonical(entryFields(rest)));
}

/** Writes JSON with sorted keys at every depth and without absent fields, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  let fields = '';
  // Each sweep does this for a hundred entries. This loop takes half the time of one with lists of pairs.
  for (const name of names) {
    const field = Reflect.get(value, name);
    if (field === undefined) continue;
    fields += `${fields === '' ? '' : ','}${JSON.stringify(name)}:${canonical(field)}`;
  }
  return `{${fields}}`;
}

/** If the newest entry is less than this ahead of the store's clock, no set-back is needed: the clock catches up. */
const AHEAD_MS = HOUR_MS;

/** Used credits of each day since the first entry. */
export type UseByDay = Map<string, PeriodTotals>;

/**
 * Adds an entry to the use by day. @param movement the entry's change of amounts, if the entry is about a reservation.
 */
export function followUse(use: UseByDay, entry: LedgerEntry, movement: Movement | undefined): void {
  if (movement) addUse(use, movement);
  if (entry.kind === 'set-back') moveLaterUse(use, entry.day);
}

/** Time, day and number of a set-back entry. */
type Moment = Pick<LedgerEntry, 'atMs' | 'day' | 'seq'>;

export function isAhead({ atMs }: Pick<LedgerEntry, 'atMs'>, nowMs: number): boolean {
  return atMs > nowMs + AHEAD_MS;
}

/**
 * Drafts a set-back entry.
 * @param previous the newest entry, whose time is ahead of the store's clock.
 * @param rules.nowMs time by the store's clock.
 */
export function draftSetBack(
  previous: LedgerEntry,
  rules: { use: UseByDay; nowMs: number; timeZone: string; reason: string },
): EntryDraft {
  const { use, nowMs: atMs, reason } = rules;
  const timeZone = zoneInForce(previous, rules.timeZone, atMs);
  const day = dayOf(atMs, timeZone);
  const seq = previous.seq + 1;
  const open = moveReservationsToDay({ atMs, day }, previous.open);
  moveLaterUse(use, day);
  const totals = totalsSetBack(previous, { use, at: { atMs, day, seq }, open });
  const id = `set-back:${seq}`;
  return { id, kind: 'set-back', atMs, timeZone, day, amountCredits: 0, reason, totals, open };
}

/**
 * Computes the balance after a set-back. Amounts of later days are moved to the current day, so that no credit is lost.
 * @param rules.use used credits of all entries before the set-back, by day.
 */
function totalsSetBack(
  previous: LedgerEntry,
  { use, at, open }: { use: UseByDay; at: Moment; open: readonly OpenReservation[] },
): Totals {
  const days = new Set([at.day, ...open.map(({ day }) => day)]);
  const months = new Set([...days].map(monthOfDay));
  const periods = [...days, ...months].map((period) => [period, useOf(use, period)]);
  // The use by people has no log of its own, so it begins again with the present day.
  const { people: _, ...rest } = previous.totals;
  return {
    ...rest,
    periods: Object.fromEntries(periods),
    leads: leadsBefore(use, at.day),
    setBack: wrongTimes(previous, at),
  };
}

/** Notes the set-back, and the latest time that an entry before it states. */
function wrongTimes(
  { totals, atMs }: LedgerEntry,
  { seq }: Pick<LedgerEntry, 'seq'>,
): NonNullable<Totals['setBack']> {
  return { seq, untilMs: Math.max(atMs, totals.setBack?.untilMs ?? 0) };
}

/** Moves reservations of later days to the current day. */
function moveReservationsToDay(
  { atMs, day }: Omit<Moment, 'seq'>,
  open: readonly OpenReservation[],
): OpenReservation[] {
  return open.map((each) => ({
    ...each,
    day: each.day > day ? day : each.day,
    atMs: Math.min(each.atMs, atMs),
  }));
}

function addUse(use: UseByDay, { day, purpose, by }: Movement): void {
  const before = use.get(day);
  use.set(day, { ...before, [purpose]: add(before?.[purpose], by) });
}

function moveLaterUse(use: UseByDay, day: string): void {
  for (const [later, totals] of [...use].filter(([each]) => each > day)) {
    use.delete(later);
    for (const [purpose, by] of usesOf(totals)) addUse(use, { day, purpose, by });
  }
}

/** Sums up the used credits of a period. @param period a day, or a month. */
function useOf(use: UseByDay, period: string): PeriodTotals {
  const sum: UseByDay = new Map();
  for (const [day, totals] of use) {
    if (!day.startsWith(period)) continue;
    for (const [purpose, by] of usesOf(totals)) addUse(sum, { day: period, purpose, by });
  }
  return sum.get(period) ?? {};
}

function usesOf(totals: PeriodTotals): [Movement['purpose'], Movement['by']][] {
  return Object.entries(totals) as [Movement['purpose'], Movement['by']][];
}

function leadsBefore(use: UseByDay, day: string): NonNullable<Totals['leads']> {
  const [first = day] = [...use.keys()].sort();
  const known = Math.min(LEAD_DAYS, Math.max(0, daysBetween(first, day)));
  const before = Array.from({ length: known }, (_, index) => {
    return usedByLeads(use.get(dayAfter(day, -index - 1)));
  });
  return { day, before };
}
