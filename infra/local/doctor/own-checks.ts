import { isAhead } from '#shared/credit-ledger';
import { counted, figure, SECOND_MS, wrongClock } from '#shared/kernel';
import { questionKind } from '#shared/questions';
import { recordKind } from '#shared/records';
import type { ServerClock } from '../observed-send.ts';
import { countQueues } from '../queues.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { commandFor } from './command-for.ts';
import { runCheck } from './run-check.ts';
import type { Site, WholeSite } from './site.ts';

export async function budgetCheck({ services }: Site): Promise<Check> {
  const name = 'budgets';
  return runCheck(name, 'see the stores', async () => {
    const states = (await services.ledger.now()).states();
    const spent = states.filter(({ leftCredits }) => leftCredits <= 0);
    const seen = states.map(
      (state) => `${state.budget}: ${figure(state.leftCredits)} of ${figure(state.limitCredits)} left`,
    );
    if (states.every(({ limitCredits }) => limitCredits === 0))
      return fail(name, 'all are 0, so no lookup is bought', 'set budgets in the policy, or CREDITS_PER_DAY');
    if (spent.length > 0) {
      const names = spent.map(({ budget }) => budget).join(', ');
      return warn(name, seen.join('; '), `${names}: wait until it resets, or raise it in the policy`);
    }
    return ok(name, seen.join('; '));
  });
}

/** Verifies the newest entries of the ledger. */
export function booksCheck(site: Site): Promise<Check> {
  const name = 'books';
  return runCheck(name, TABLE_ADVICE, async () => {
    const { entries, problems, isWhole } = await site.services.checkBooks();
    const [first] = problems;
    const command = commandFor(site, 'ledger verify');
    if (first) {
      const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
      const seen = `entry ${first.seq} of the ledger does not hold: ${first.problem.replace(/\.$/, '')}${more}`;
      return fail(name, seen, `see "Books differ" in the runbook, then run: ${command}`);
    }
    const held = counted(entries, 'entry');
    if (isWhole) return ok(name, `${held}, all hold`);
    return ok(name, `the newest ${held} hold; to verify all: ${command}`);
  });
}

const TABLE_ADVICE = 'check that the stack or the data folder is complete, and that you may read it';

/** Reads each table once. */
export function tablesCheck({ services, path }: WholeSite): Promise<Check> {
  return runCheck('tables', TABLE_ADVICE, async () => {
    await Promise.all([
      services.records.read(recordKind.key({ objectType: 'contacts', id: 'doctor' })),
      services.records.list({ partition: recordKind.partition('waiting-live'), limit: 1 }),
      services.questions.items.read(questionKind.key('doctor')),
      services.ledger.newest(),
      services.breakers.read(),
      services.questions.suppressionList.among(['doctor']),
    ]);
    return ok('tables', `all five answer, in ${path}`);
  });
}

export function queuesCheck(site: WholeSite): Promise<Check> {
  const { queues, hasWorkers } = site;
  return runCheck('queues', TABLE_ADVICE, async () => {
    const counts = await countQueues(queues);
    const dead = counts.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
    const seen = counts.map(
      ({ queue, waiting, inHand }) => `${queue}: ${waiting} waiting, ${inHand} in progress`,
    );
    if (dead > 0) {
      const advice = `see "Dead letters" in the runbook, then run: ${commandFor(site, 'queue requeue')}`;
      return warn('queues', counted(dead, 'dead letter'), advice);
    }
    if (!hasWorkers) return warn('queues', 'no worker is running', 'run: npm start');
    return ok('queues', seen.join('; '));
  });
}

/** Compares our clock with the store's, or with the servers'. While the clocks differ, no credit is spent. */
export function clockCheck({ services }: Site): Check {
  const wrong = wrongClock(services.questions);
  return wrong === undefined ? ok('clock', 'not known to be wrong') : fail('clock', wrong, CLOCK_ADVICE);
}

/** Finds a ledger entry with a time in the future. Until this time, all charges would be booked on the entry's day. */
export function booksTimeCheck(site: Site): Promise<Check> {
  const { services } = site;
  const name = 'time of the books';
  return runCheck(name, TABLE_ADVICE, async () => {
    const newest = await services.ledger.newest();
    if (!newest || !isAhead(newest, services.questions.clock.now()))
      return ok(name, 'not ahead of the clock');
    const seen = `the newest entry says ${new Date(newest.atMs).toISOString()}`;
    const command = commandFor(site, 'ledger set-back');
    return fail(name, seen, `see "Books ahead of time" in the runbook, then run: ${command}`);
  });
}

const CLOCK_ADVICE = 'synchronise the clock of this machine by NTP';

/**
 * Smaller differences are not reported, because `Date` headers are exact only to the second and answers have a delay.
 */
const NOTICEABLE_MS = 5 * SECOND_MS;
/** The receiver refuses signatures whose time differs from its clock by more than this. */
const FATAL_MS = 300 * SECOND_MS;

/** Compares our clock with the servers that have answered so far. */
export function clockChecks(clocks: readonly ServerClock[]): Check[] {
  return clocks.map(({ host, serverMs, receivedAtMs }) => {
    const name = `clock of ${host}`;
    const offMs = receivedAtMs - serverMs;
    const seen = `this machine is ${Math.abs(Math.round(offMs / SECOND_MS))} s ${offMs < 0 ? 'behind' : 'ahead'}`;
    if (Math.abs(offMs) >= FATAL_MS) return fail(name, `${seen}: signatures are refused`, CLOCK_ADVICE);
    return Math.abs(offMs) >= NOTICEABLE_MS ? warn(name, seen, CLOCK_ADVICE) : ok(name, seen);
  });
}
