import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerCommand, LedgerEntry } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { unreachable } from '#shared/kernel';
import { verify } from '../harness/ledger-logs.ts';
import { repeated } from '../harness/repeated.ts';
import { dayIn, keptForLeads, lateIn, limitsOf, openIn, statesOf, sumOf, usedIn } from './ledger-model.ts';
import { type Course, course, type Run, runCourse } from './ledger-runs.ts';

/** What every run together has to meet, or it proves less than it says. */
const EVERY_END = [
  'adjust: appended',
  'adjust: exists',
  'doubt: appended',
  'doubt: exists',
  'doubt: not-open',
  'grant: appended',
  'grant: exists',
  'late: appended',
  'late: exists',
  'post: appended',
  'post: not-open',
  'reserve: appended',
  'reserve: exists',
  'reserve: over-budget',
  'void: appended',
  'void: not-open',
];

const NOTHING = { posted: 0, pending: 0, doubtful: 0 };

const settings = { seed: 20_261_118, numRuns: repeated(200) };

/** What the model says a command must come to. */
function expectedKind(given: {
  course: Course;
  log: readonly LedgerEntry[];
  nowMs: number;
  command: LedgerCommand;
}): string {
  const { log, command } = given;
  switch (command.kind) {
    case 'reserve': {
      if (isOpen(log, command.reservationId)) return 'exists';
      return fitsBudgets(given, command) ? 'appended' : 'over-budget';
    }
    case 'post':
    case 'void':
      return isOpen(log, command.reservationId) ? 'appended' : 'not-open';
    case 'doubt':
      if (!isOpen(log, command.reservationId)) return 'not-open';
      return statesOf(log).get(command.reservationId) === 'doubtful' ? 'exists' : 'appended';
    case 'late':
      return log.some(({ id }) => id === `${command.reservationId}:late`) ? 'exists' : 'appended';
    case 'grant':
    case 'adjust':
      return log.some(({ id }) => id === command.id) ? 'exists' : 'appended';
    default:
      return unreachable(command);
  }
}

function isOpen(log: readonly LedgerEntry[], reservationId: string): boolean {
  const state = statesOf(log).get(reservationId);
  return state === 'pending' || state === 'doubtful';
}

function fitsBudgets(
  {
    course: { budgets, timeZone },
    log,
    nowMs,
  }: { course: Course; log: readonly LedgerEntry[]; nowMs: number },
  { purpose, amountCredits }: { purpose: string; amountCredits: number },
): boolean {
  const today = dayIn(timeZone, nowMs);
  const isLead = purpose === 'live' || purpose === 'manual';
  if (budgets.perDay === undefined && budgets.perMonth === undefined) return false;
  return limitsOf(budgets, [today])
    .filter((limit) => limit.purpose === undefined || limit.purpose === purpose)
    .every((each) => {
      const { limit, period = '' } = each;
      const kept = isLead || each.purpose ? 0 : keptForLeads(log, { limit, period, today, timeZone, nowMs });
      return usedIn(log, each) + amountCredits + kept <= each.limit;
    });
}

const forEveryRun = (check: (run: Run) => void | Promise<void>) =>
  fc.assert(
    fc.asyncProperty(course, async (given) => check(await runCourse(given))),
    settings,
  );

describe('whatever is commanded, over many days', () => {
  it('each command comes to what the sums over the log say', async () => {
    const met = new Set<string>();
    await forEveryRun(({ course: given, results, log }) => {
      let length = 0;
      given.turns.forEach(({ command }, turn) => {
        const { nowMs = 0, appended } = results[turn] ?? {};
        const expected = expectedKind({ course: given, log: log.slice(0, length), nowMs, command });
        expect(`${command.kind}: ${appended?.kind}`).toBe(`${command.kind}: ${expected}`);
        if (appended?.kind === 'appended') length += 1;
        met.add(`${command.kind}: ${expected}`);
      });
      expect(log).toHaveLength(length);
    });
    expect([...met].sort()).toEqual(EVERY_END);
  });

  it('nothing is ever used beyond a budget but by a late charge, at any moment', async () => {
    await forEveryRun(({ course: given, log }) => {
      const days = [...new Set(log.map(({ day }) => day))];
      const limits = limitsOf(given.budgets, days);
      for (let length = 1; length <= log.length; length += 1) {
        const prefix = log.slice(0, length);
        for (const { limit, ...scope } of limits)
          expect(usedIn(prefix, scope) - lateIn(prefix, scope)).toBeLessThanOrEqual(limit);
      }
    });
  });

  it('each entry states the sums over the log up to it, and what is open', async () => {
    await forEveryRun(({ course: { timeZone }, log }) => {
      log.forEach((entry, index) => {
        const prefix = log.slice(0, index + 1);
        expect(entry.totals.lifetime).toMatchObject(sumOf(prefix));
        const listed = entry.open.map(({ id, state }) => `${id} ${state}`);
        expect(listed.sort()).toEqual(openIn(prefix));
        for (const [period, totals] of Object.entries(entry.totals.periods))
          for (const purpose of PURPOSES)
            expect(totals[purpose] ?? NOTHING).toEqual(sumOf(prefix, { purpose, period }));
        expectPeriods(entry, prefix, dayIn(timeZone, entry.atMs));
      });
    });
  });

  it('replay proves every log, and comes to its totals', async () => {
    await forEveryRun(async ({ log }) => {
      const report = await verify(log);
      expect(report.problems).toEqual([]);
      expect(report.entries).toBe(log.length);
      if (log.length > 0) expect(report.totals).toEqual(log.at(-1)?.totals);
    });
  });
});

/** The totals hold the current periods and those of open reservations, as far as anything is booked in them. */
function expectPeriods(entry: LedgerEntry, prefix: readonly LedgerEntry[], today: string): void {
  const days = [today, ...entry.open.map(({ day }) => day)];
  for (const day of days)
    for (const period of [day, day.slice(0, 7)]) {
      const isUsed = usedIn(prefix, { period }) > 0;
      if (isUsed) expect(entry.totals.periods).toHaveProperty([period]);
    }
}
