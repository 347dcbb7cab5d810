import type { Backfilled, Evidence, Halt } from './evidence.ts';
import { readCsv } from './ledger-rows.ts';
import { paidRequests } from './requests.ts';

/** Longest time between the reservation of credits and the request. */
const UNDER_WAY_MS = 30 * 60_000;

/** One reservation of credits. */
interface SetAside {
  readonly atMs: number;
  readonly purpose: string;
  /** Empty for a search for several companies. */
  readonly record: string;
  /** Highest possible charge; 0 once it is known to have cost nothing. */
  readonly credits: number;
  readonly isBooked: boolean;
}

interface Status {
  readonly state: string;
  readonly records: number;
  readonly ended: number;
  readonly spent: number;
  readonly strata: readonly {
    readonly letIn: number;
    readonly hits: number;
    readonly misses: number;
    readonly others: number;
  }[];
}

/** A backfill costs at most the agreed amount, ends each of its records once, and costs nothing more after a stop. */
export function backfillFaults(evidence: Evidence): string[] {
  const setAside = setAsideIn(evidence);
  return evidence.backfills.flatMap((backfill, index) => {
    const next = evidence.backfills
      .slice(index + 1)
      .find(({ objectType }) => objectType === backfill.objectType);
    const own = setAside.filter(
      ({ purpose, record, atMs }) =>
        purpose === 'backfill' &&
        isOf(backfill, record) &&
        atMs >= backfill.atMs &&
        atMs < (next?.atMs ?? Number.POSITIVE_INFINITY),
    );
    return [
      ...overQuote(backfill, own),
      ...memberFaults(backfill, own),
      ...backfill.halts.flatMap((halt) => haltFaults(evidence, { backfill, halt, own, setAside })),
    ];
  });
}

function isOf({ objectType }: Backfilled, record: string): boolean {
  return record === '' ? objectType === 'companies' : record.startsWith(`${objectType}#`);
}

function setAsideIn({ told }: Evidence): SetAside[] {
  const rows = readCsv(told.ledger);
  const byId = Map.groupBy(rows, ({ reservationId = '' }) => reservationId);
  return rows
    .filter(({ kind }) => kind === 'pending')
    .map(({ time = '', purpose = '', record = '', reservationId = '', amountCredits }) => {
      const ends = (byId.get(reservationId) ?? []).filter(({ kind }) => kind !== 'pending');
      const booked = ends.filter(({ kind }) => kind === 'posted' || kind === 'late');
      const isOver = booked.length > 0 || ends.some(({ kind }) => kind === 'voided');
      const known = total(booked.map((row) => Number(row['amountCredits'])));
      const credits = isOver ? known : Number(amountCredits);
      return { atMs: Date.parse(time), purpose, record, credits, isBooked: booked.length > 0 };
    });
}

function overQuote({ id, worst, dearest }: Backfilled, own: readonly SetAside[]): string[] {
  const spent = total(own.map(({ credits }) => credits));
  const byRecord = Map.groupBy(
    own.filter(({ record }) => record !== ''),
    ({ record }) => record,
  );
  return [
    ...(spent > worst ? [`backfill ${id} took ${spent} credits, of ${worst} agreed to`] : []),
    ...[...byRecord].flatMap(([record, all]) => {
      const credits = total(all.map((one) => one.credits));
      return credits > dearest ? [`backfill ${id} took ${credits} credits for ${record}, of ${dearest}`] : [];
    }),
  ];
}

/** Each member ends once. After a stop, withdrawn members do not count. */
function memberFaults({ id, status, halts }: Backfilled, own: readonly SetAside[]): string[] {
  const { state, records, ended, spent, strata }: Status = JSON.parse(status);
  const letIn = total(strata.map((stratum) => stratum.letIn));
  const booked = total(own.filter(({ isBooked }) => isBooked).map(({ credits }) => credits));
  const isStopped = state === 'stopped' && halts.length > 0;
  return [
    ...(state === 'done' || isStopped ? [] : [`backfill ${id} did not come to its end: ${state}`]),
    ...(state === 'done' && (ended !== records || letIn !== records)
      ? [`backfill ${id} is done with ${ended} ends and ${letIn} begun of ${records} records`]
      : []),
    ...(ended > letIn || letIn > records
      ? [`backfill ${id} ended ${ended} of ${letIn} that were begun`]
      : []),
    ...(spent < booked ? [`backfill ${id} says it spent ${spent} credits, the ledger ${booked}`] : []),
  ];
}

interface Halted {
  readonly backfill: Backfilled;
  readonly halt: Halt;
  readonly own: readonly SetAside[];
  readonly setAside: readonly SetAside[];
}

/** Only requests in progress are charged, and no more than the command said. */
function haltFaults({ bill }: Evidence, { backfill, halt, own, setAside }: Halted): string[] {
  const { atMs, untilMs = Number.POSITIVE_INFINITY, maxCredits } = halt;
  const { id } = backfill;
  const isIn = (ms: number) => ms > atMs && ms < untilMs;
  const late = own.filter((one) => isIn(one.atMs) && one.credits > 0);
  const sent = total(paidRequests(bill.requests).map((one) => (isIn(one.atMs) ? one.credits : 0)));
  const isOther = (one: SetAside) =>
    one.atMs > atMs - UNDER_WAY_MS && one.atMs < untilMs && !own.includes(one);
  const others = total(setAside.map((one) => (isOther(one) ? one.credits : 0)));
  const isOver = maxCredits !== undefined && sent - others > maxCredits;
  return [
    ...(late.length > 0 ? [`backfill ${id} was halted, and ${late.length} more requests were charged`] : []),
    ...(isOver
      ? [`backfill ${id} was halted with ${maxCredits} credits in flight, and ${sent - others} were charged`]
      : []),
  ];
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
