import type { Evidence } from './evidence.ts';
import { type Row, readCsv } from './ledger-rows.ts';

const LEADS = ['live', 'manual'];
const DAYS = 28;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** A run that a person started at the card is done by then. */
const ENDED_MS = 20 * 60_000;

/**
 * Bulk work leaves enough of each day's budget for leads. No purpose spends more than its budget or an agreed price.
 */
export function shareFaults(evidence: Evidence): string[] {
  return [...overShare(evidence), ...overPrice(evidence)];
}

function overPrice({ prices, told }: Evidence): string[] {
  const reserved = readCsv(told.ledger).filter(
    ({ kind, purpose }) => kind === 'pending' && purpose === 'manual',
  );
  return prices.flatMap(({ record: name, atMs, credits }) => {
    const spent = reserved
      .filter(({ record, time = '' }) => record === name && Math.abs(Date.parse(time) - atMs) < ENDED_MS)
      .reduce((sum, { amountCredits }) => sum + Number(amountCredits), 0);
    return spent > credits ? [`${spent} credits were set aside for ${name}, of ${credits} agreed to`] : [];
  });
}

function overShare({ agreed, told }: Evidence): string[] {
  const { perDay, purpose } = agreed;
  const used = new Map<string, number>();
  const open = new Map<string, number>();
  const usedBy = (day: string, names: readonly string[]) =>
    names.reduce((sum, name) => sum + (used.get(`${day} ${name}`) ?? 0), 0);
  const seen = new Set<string>();
  let first: string | undefined;
  return readCsv(told.ledger).flatMap((row) => {
    const { day = '', purpose: name = '', kind = '', amountCredits = '0' } = row;
    const before = usedBy(day, [...seen]);
    const leads = usedBy(day, LEADS);
    first ??= day;
    const known = daysBefore(day).filter((each) => each >= (first ?? day));
    const usedDaily = known.map((each) => usedBy(each, LEADS)).sort((a, b) => b - a);
    seen.add(name);
    follow(row, { used, reserved: open });
    if (kind !== 'pending') return [];
    const isBulk = !LEADS.includes(name);
    // The most used quarter of the days does not count. At least a fifth of the day is reserved for leads, at most
    // half.
    const usual = usedDaily[Math.floor(usedDaily.length / 4)] ?? 0;
    const reserved = Math.min(perDay / 2, Math.max(usual, perDay / 5));
    const unused = Math.max(0, reserved - leads);
    const kept = isBulk && unused > 0 ? Math.round(unused * partHeldBack(row)) : 0;
    const over = before + Number(amountCredits) + kept - perDay;
    const ofPurpose = purpose?.name === name ? usedBy(day, [name]) - purpose.perDay : 0;
    return [
      ...(over > 0 ? [`${name} took ${over} credits on ${day} that were kept from it`] : []),
      ...(ofPurpose > 0 ? [`${name} took ${ofPurpose} credits on ${day} beyond its own budget`] : []),
    ];
  });
}

/** Adds up each purpose's spent, reserved and doubtful credits by day. */
function follow(
  { day = '', purpose = '', kind = '', reservationId = '', amountCredits = '0' }: Row,
  { used, reserved }: { used: Map<string, number>; reserved: Map<string, number> },
): void {
  const amount = Number(amountCredits);
  const add = (credits: number) =>
    used.set(`${day} ${purpose}`, (used.get(`${day} ${purpose}`) ?? 0) + credits);
  if (kind === 'pending') {
    reserved.set(reservationId, amount);
    add(amount);
  }
  if (kind === 'voided') add(-amount);
  if (kind === 'posted') add(amount - (reserved.get(reservationId) ?? 0));
  if (kind === 'late') add(amount);
}

/** Share of today's reserve that is held back: all until six hours before midnight, nothing at midnight. */
function partHeldBack({ time = '', timeZone = 'UTC' }: Row): number {
  const startMs = Date.parse(time);
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  const dayAt = (ms: number) => format.format(ms);
  const today = dayAt(startMs);
  let ms = startMs;
  for (const stepMs of [HOUR_MS, 60_000, 1_000, 1]) while (dayAt(ms + stepMs) === today) ms += stepMs;
  return Math.min(1, (ms + 1 - startMs) / (6 * HOUR_MS));
}

function daysBefore(day: string): string[] {
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(Date.parse(day) - (index + 1) * DAY_MS).toISOString().slice(0, 10),
  );
}
