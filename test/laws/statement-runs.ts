import * as fc from 'fast-check';
import type { LedgerCommand, LedgerEntry } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { DAY_MS, HOUR_MS, monthOfDay } from '#shared/kernel';
import { type BooksOptions, openBooks } from '../unit/shared/credit-ledger/books.ts';

export const TIME_ZONE = 'Europe/Berlin';

/** What happens at one moment of some months; now and then by a clock that is weeks ahead, until somebody puts it right. */
const step = fc.record({
  passedMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 6 * DAY_MS })),
  aheadMs: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: HOUR_MS, max: 50 * DAY_MS }) },
  ),
  does: fc.constantFrom(
    'reserve',
    'reserve',
    'reserve',
    'post',
    'post',
    'void',
    'doubt',
    'late',
    'grant',
    'adjust',
    'set-back',
  ),
  purpose: fc.constantFrom(...PURPOSES),
  operation: fc.constantFrom('personProfile', 'reverseEmail'),
  credits: fc.integer({ min: 1, max: 9 }),
  which: fc.nat({ max: 5 }),
  /** Of a grant: after so many days it expires, if at all. */
  lastsDays: fc.option(fc.integer({ min: 0, max: 40 })),
});
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
export const steps = fc.array(step, { minLength: 5, maxLength: 60, size: 'max' });

export type Books = ReturnType<typeof openBooks>;

interface StepsOptions extends BooksOptions {
  /** Told after every step what time it is. */
  readonly afterEach?: (books: Books, nowMs: number) => Promise<void>;
}

export async function runSteps(
  given: readonly Step[],
  { afterEach, ...options }: StepsOptions = {},
): Promise<{ books: Books; log: LedgerEntry[]; nowMs: number }> {
  let nowMs = Date.parse('2026-10-20T10:00:00Z');
  const books = openBooks({ timeZone: TIME_ZONE, budgets: { perMonth: 1_000 }, ...options });
  for (const [index, taken] of given.entries()) {
    nowMs += taken.passedMs;
    const isRight = taken.does === 'set-back';
    books.setTime(new Date(nowMs + (isRight ? 0 : taken.aheadMs)).toISOString());
    if (isRight) await books.setBack('a wrong clock');
    else await take(books, taken, { id: `r${index}:1`, nowMs });
    await afterEach?.(books, nowMs);
  }
  return { books, log: await books.log(), nowMs };
}

async function take(books: Books, taken: Step, made: { id: string; nowMs: number }): Promise<void> {
  const open = await books.ledger.openReservations();
  const command = commandOf(taken, { ...made, openId: open[taken.which % Math.max(1, open.length)]?.id });
  if (command) await books.apply(command);
}

function commandOf(
  { does, purpose, operation, credits: amountCredits, lastsDays }: Step,
  { id, nowMs, openId: reservationId }: { id: string; nowMs: number; openId: string | undefined },
): LedgerCommand | undefined {
  const about = { reservationId: id, questionKey: 'q', operation, purpose, amountCredits };
  if (does === 'reserve') return { kind: does, ...about };
  if (does === 'late') return { kind: does, ...about, reason: 'match' };
  if (does === 'adjust') return { kind: does, id, amountCredits: 4 - amountCredits, reason: 'dashboard' };
  if (does === 'grant') {
    const expiresOn =
      lastsDays === null ? undefined : new Date(nowMs + lastsDays * DAY_MS).toISOString().slice(0, 10);
    return { kind: does, id, amountCredits, reason: 'invoice', expiresOn };
  }
  if (reservationId === undefined) return undefined;
  if (does === 'post')
    return { kind: does, reservationId, amountCredits: amountCredits % 3, reason: 'match' };
  return does === 'void' || does === 'doubt' ? { kind: does, reservationId, reason: 'no-answer' } : undefined;
}

/** The month of each entry: of its own time, or of the earliest to which the log was set back after it. */
export function monthsOf(log: readonly LedgerEntry[], dayOfTime: (atMs: number) => string): string[] {
  const months: string[] = [];
  let earliest = '9999-12';
  for (const { atMs } of log.toReversed()) {
    const month = monthOfDay(dayOfTime(atMs));
    if (month < earliest) earliest = month;
    months.unshift(earliest);
  }
  return months;
}
