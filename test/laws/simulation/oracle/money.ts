import type { Evidence, Resolved } from './evidence.ts';
import { type Row, readCsv } from './ledger-rows.ts';
import { type Paid, paidRequests } from './requests.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longest time from a reservation before midnight to its charge: the lifetime of a worker. */
const LATE_MS = 5 * MINUTE_MS;
/** A miss is looked up again after a month. */
const MISS_MS = 30 * DAY_MS;
/** Tolerance for clocks that differ. */
const SKEW_MS = 10_000;

/** Checks the credits: on the bill, in the books, and within the budgets. */
export function moneyFaults(evidence: Evidence): string[] {
  const paid = paidRequests(evidence.bill.requests);
  return [
    ...billFaults(evidence, paid),
    ...bookFaults(evidence, paid),
    ...summaryFaults(evidence),
    ...paidTwice(evidence, paid),
    ...overBudget(evidence, paid),
  ];
}

function billFaults({ bill }: Evidence, paid: readonly Paid[]): string[] {
  const sum = total(paid.map(({ credits }) => credits));
  return sum === bill.creditsCharged ? [] : [`the bill says ${bill.creditsCharged}, its requests ${sum}`];
}

interface Reservation {
  readonly operation: string;
  worst: number;
  booked: number;
  state: string;
  isBelieved: boolean;
}

/** For each operation, charged equals posted, except doubts and people's beliefs about doubts. */
function bookFaults({ told, agreed }: Evidence, paid: readonly Paid[]): string[] {
  const rows = readCsv(told.ledger);
  const reservations = [...reservationsIn(rows).values()];
  const open = reservations.filter(({ state }) => state === 'pending');
  const operations = new Set([...paid, ...reservations].map(({ operation }) => operation));
  const verified: { ok?: boolean; entries?: number } = JSON.parse(told.verified);
  return [
    ...open.map(({ operation }) => `a reservation for ${operation} is still pending`),
    ...(verified.ok && verified.entries === rows.length
      ? []
      : [`the ledger does not verify: ${told.verified}`]),
    ...[...operations].flatMap((operation) => {
      const charged = total(paid.filter((one) => one.operation === operation).map(({ credits }) => credits));
      const mine = reservations.filter((one) => one.operation === operation);
      const isSure = (one: Reservation) => agreed.areAllHeard || isProved(one);
      const sure = total(mine.filter(isSure).map(({ booked }) => booked));
      const most = sure + total(mine.filter((one) => !isSure(one)).map(({ worst }) => worst));
      const isWithin = charged >= sure && charged <= most;
      return isWithin ? [] : [`${operation}: charged ${charged}, booked ${sure} to ${most}`];
    }),
  ];
}

function isProved({ state, isBelieved }: Reservation): boolean {
  return !isBelieved && state !== 'doubtful' && state !== 'pending';
}

function reservationsIn(rows: readonly Row[]): ReadonlyMap<string, Reservation> {
  const found = new Map<string, Reservation>();
  for (const { kind = '', reservationId = '', operation = '', amountCredits, reason = '', id = '' } of rows) {
    const amount = Number(amountCredits);
    if (kind === 'pending')
      found.set(reservationId, { operation, worst: amount, booked: 0, state: kind, isBelieved: false });
    if (kind === 'adjustment') {
      const about = [...found].find(([key]) => id.startsWith(`${key}:`))?.[1];
      if (about) about.booked -= amount;
    }
    const known = found.get(reservationId);
    if (!known || kind === 'pending' || kind === 'adjustment') continue;
    known.state = kind;
    if (kind === 'posted' || kind === 'late') known.booked += amount;
    // A later proof overrides a person's belief.
    known.isBelieved = kind !== 'late' && reason.startsWith('resolved: ');
  }
  return found;
}

/** The report equals the sums of the books. */
function summaryFaults({ told }: Evidence): string[] {
  const rows = readCsv(told.ledger);
  const spend: Readonly<Record<string, unknown>> = JSON.parse(told.spend);
  const month = rows.filter(
    ({ kind, day = '' }) => ['posted', 'late'].includes(kind ?? '') && day.startsWith(String(spend['month'])),
  );
  const spent = total(month.map(({ amountCredits }) => Number(amountCredits)));
  const reservations = [...reservationsIn(rows).values()];
  const doubtful = total(reservations.filter(({ state }) => state === 'doubtful').map(({ worst }) => worst));
  return [
    ...(spend['spentMonthCredits'] === spent
      ? []
      : [`spend reports ${spend['spentMonthCredits']} for this month, the ledger ${spent}`]),
    ...(spend['doubtfulCredits'] === doubtful
      ? []
      : [`spend reports ${spend['doubtfulCredits']} in doubt, the ledger ${doubtful}`]),
  ];
}

/**
 * An answered question is not asked again while its answer is fresh, unless for more data. A question with an unknown
 * end is not asked again before a person resolves it.
 */
function paidTwice({ resolved, agreed }: Evidence, paid: readonly Paid[]): string[] {
  const said = [...resolved];
  return paid.flatMap((second, index) => {
    if (second.end === 'refused') return [];
    const before = paid.slice(0, index).filter(({ raw, end }) => raw === second.raw && end !== 'refused');
    const first = before.findLast((one) => isAsWide(one, second));
    // The request after an unknown one had to find out its end.
    const isSettled = first?.end === 'unknown' && first !== before.at(-1);
    if (
      !first ||
      isSettled ||
      !isStillGood(agreed, first, second) ||
      isExcused({ agreed }, { first, second, said })
    )
      return [];
    return [`${second.raw} was asked again: ${first.end} ${second.atMs - first.atMs} ms before`];
  });
}

function isAsWide({ end, extras }: Paid, second: Paid): boolean {
  if (end === 'refused') return false;
  return end !== 'found' || second.extras.every((extra) => extras.includes(extra));
}

function isStillGood({ freshDays }: Evidence['agreed'], first: Paid, second: Paid): boolean {
  const ageMs = second.atMs - first.atMs;
  if (first.end === 'unknown') return true;
  return ageMs < (first.end === 'no-match' ? MISS_MS : freshDays * DAY_MS) - SKEW_MS;
}

/** By then, a sleeping worker has received its answer. */
const SLEPT_MS = 30 * 60_000;

/** Each resolved doubt allows its question one more request, until the answer is received after all. */
function isExcused(
  { agreed }: Pick<Evidence, 'agreed'>,
  { first, second, said }: { readonly first: Paid; readonly second: Paid; readonly said: Resolved[] },
): boolean {
  const isHeard = agreed.areAllHeard && first.end === 'found' && second.atMs > first.atMs + SLEPT_MS;
  if (isHeard) return false;
  const excuse = said.findIndex(
    ({ operation, atMs }) => operation === first.operation && atMs > first.atMs && atMs <= second.atMs,
  );
  if (excuse !== -1) said.splice(excuse, 1);
  return excuse !== -1;
}

/** Uses only the bill: charges by day. The first minutes may belong to the day before. */
function overBudget({ agreed }: Evidence, paid: readonly Paid[]): string[] {
  const { perDay, timeZone } = agreed;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const spent = new Map<string, number>();
  for (const { atMs, credits } of paid) {
    const days = [atMs - LATE_MS, atMs].map((ms) => format.format(ms));
    const day = days.find((one) => (spent.get(one) ?? 0) + credits <= perDay) ?? days[1] ?? '';
    spent.set(day, (spent.get(day) ?? 0) + credits);
  }
  return [...spent].flatMap(([day, credits]) =>
    credits > perDay ? [`${credits} credits were charged on ${day}, of ${perDay} a day`] : [],
  );
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
