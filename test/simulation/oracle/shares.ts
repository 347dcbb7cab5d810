import type { Evidence } from './evidence.ts';
import { type Row, readCsv } from './ledger-rows.ts';

const LEADS = ['live', 'manual'];
/** At least this much of a day is left to them, and a quarter more than they used on the busiest of the days before. */
const LEADS_SHARE = 1 / 5;
const MARGIN = 5 / 4;
const DAYS = 14;
const DAY_MS = 24 * 60 * 60_000;

/** A run at the card is done by then. */
const ENDED_MS = 20 * 60_000;

/** What comes in masses leaves of each day what its leads need; and nobody spends more than they may, or agreed to. */
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
  const reserved = new Map<string, number>();
  const usedBy = (day: string, names: readonly string[]) =>
    names.reduce((sum, name) => sum + (used.get(`${day} ${name}`) ?? 0), 0);
  const seen = new Set<string>();
  return readCsv(told.ledger).flatMap((row) => {
    const { day = '', purpose: name = '', kind = '', amountCredits = '0' } = row;
    const before = usedBy(day, [...seen]);
    const leads = usedBy(day, LEADS);
    const busiest = Math.max(0, ...daysBefore(day).map((each) => usedBy(each, LEADS)));
    seen.add(name);
    follow(row, { used, reserved });
    if (kind !== 'pending') return [];
    const kept = Math.max(Math.ceil(busiest * MARGIN), Math.ceil(perDay * LEADS_SHARE)) - leads;
    const isBulk = !LEADS.includes(name);
    const over = before + Number(amountCredits) + (isBulk ? Math.max(0, kept) : 0) - perDay;
    const ofPurpose = purpose?.name === name ? usedBy(day, [name]) - purpose.perDay : 0;
    return [
      ...(over > 0 ? [`${name} took ${over} credits on ${day} that were kept from it`] : []),
      ...(ofPurpose > 0 ? [`${name} took ${ofPurpose} credits on ${day} beyond its own budget`] : []),
    ];
  });
}

/** Adds up what each purpose has spent, set aside or may have spent of each day. */
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

function daysBefore(day: string): string[] {
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(Date.parse(day) - (index + 1) * DAY_MS).toISOString().slice(0, 10),
  );
}
