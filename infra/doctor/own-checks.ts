import type { AlarmSubscriptions } from '#shared/alerts/adapters';
import { isAhead } from '#shared/credit-ledger';
import { SECOND_MS, wrongClock } from '#shared/kernel';
import { recordKind } from '#shared/records';
import { readReport, type Stop } from '#shared/spend';
import type { ServerClock } from '../local/observed-send.ts';
import { countQueues } from '../local/queues.ts';
import {
  type Check,
  checkOf,
  commandFor,
  runCheck,
  type Site,
  type WholeSite,
  withoutPeriod,
} from './check.ts';

export function budgetCheck({ services }: Site): Promise<Check> {
  const name = 'budgets';
  return runCheck(name, 'stores-fail', async () => {
    const states = (await services.ledger.now()).states();
    const budgets = states.map(({ budget, leftCredits, limitCredits }) => ({
      ...{ budget, leftCredits, limitCredits },
    }));
    const usedUp = states.filter(({ leftCredits }) => leftCredits <= 0).map(({ budget }) => budget);
    if (states.every(({ limitCredits }) => limitCredits === 0))
      return checkOf(name, 'budgets-are-zero', { budgets });
    if (usedUp.length > 0) return checkOf(name, 'budgets-used-up', { budgets, usedUp });
    return checkOf(name, 'budgets-left', { budgets });
  });
}

export function booksCheck(site: Site): Promise<Check> {
  const name = 'books';
  return runCheck(name, 'tables-fail', async () => {
    const { entries, problems, isWhole } = await site.services.checkBooks();
    const [first] = problems;
    const command = commandFor(site, 'ledger verify');
    if (first) {
      const params = { seq: first.seq, problem: withoutPeriod(first.problem), more: problems.length - 1 };
      return checkOf(name, 'books-differ', { ...params, command });
    }
    if (isWhole) return checkOf(name, 'books-hold', { entries });
    return checkOf(name, 'newest-books-hold', { entries, command });
  });
}

export function tablesCheck({ services, path }: WholeSite): Promise<Check> {
  return runCheck('tables', 'tables-fail', async () => {
    await Promise.all([
      services.records.read(recordKind.key({ objectType: 'contacts', id: 'doctor' })),
      services.records.list({ partition: recordKind.partition('waiting-live'), limit: 1 }),
      services.ledger.newest(),
      services.questions.suppressionList.among(['doctor']),
    ]);
    return checkOf('tables', 'tables-answer', { path });
  });
}

export function queuesCheck(site: WholeSite): Promise<Check> {
  const { queues, hasWorkers } = site;
  return runCheck('queues', 'tables-fail', async () => {
    const counts = await countQueues(queues);
    const count = counts.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
    if (count > 0)
      return checkOf('queues', 'dead-letters', { count, command: commandFor(site, 'queue requeue') });
    if (!hasWorkers) return checkOf('queues', 'no-worker', {});
    const seen = counts.map(({ queue, waiting, inHand }) => ({ queue, waiting, inHand }));
    return checkOf('queues', 'queues-answer', { queues: seen });
  });
}

/** Compares our clock with the store's, or with the servers'. While the clocks differ, no credit is spent. */
export function clockCheck({ services }: Site): Check {
  const said = wrongClock(services.questions);
  return said === undefined
    ? checkOf('clock', 'clock-not-wrong', {})
    : checkOf('clock', 'clock-wrong', { said: withoutPeriod(said) });
}

/** Finds a ledger entry with a time in the future. Until this time, all charges would be booked on the entry's day. */
export function booksTimeCheck(site: Site): Promise<Check> {
  const { services } = site;
  const name = 'time of the books';
  return runCheck(name, 'tables-fail', async () => {
    const newest = await services.ledger.newest();
    if (!newest || !isAhead(newest, services.questions.clock.now()))
      return checkOf(name, 'books-in-time', {});
    const at = new Date(newest.atMs).toISOString();
    return checkOf(name, 'books-ahead', { at, command: commandFor(site, 'ledger set-back') });
  });
}

/**
 * Smaller differences are not reported, because `Date` headers are exact only to the second and answers have a delay.
 */
const NOTICEABLE_MS = 5 * SECOND_MS;
/** The receiver refuses signatures whose time differs from its clock by more than this. */
const FATAL_MS = 300 * SECOND_MS;

/** Compares our clock with the servers that have answered so far. */
export function clockChecks(clocks: readonly ServerClock[]): Check[] {
  return clocks.map(({ host, serverMs, receivedAtMs }) => {
    const offMs = receivedAtMs - serverMs;
    const off = { seconds: Math.abs(Math.round(offMs / SECOND_MS)), isBehind: offMs < 0 };
    const isSmall = Math.abs(offMs) < NOTICEABLE_MS;
    const code = isSmall ? 'clock-right' : Math.abs(offMs) < FATAL_MS ? 'clock-off' : 'clock-far-off';
    return checkOf(`clock of ${host}`, code, off);
  });
}

/** Stops that other checks report. */
const REPORTED_ELSEWHERE: ReadonlySet<Stop['kind']> = new Set([
  'ledger-broken',
  'hubspot-unavailable',
  'no-budget',
]);
/** Stops whose cause, if it still exists, is reported by the key check of this command. */
const CAUSED_BY_KEY: ReadonlySet<Stop['kind']> = new Set(['key-refused', 'wrong-address']);
/** Stops that are no fault: the policy asks for them, and they end without a person. */
const BY_BUDGET: ReadonlySet<Stop['kind']> = new Set(['budget-used-up', 'reserved-for-leads']);

/**
 * Reports each stop of purchases as a check, as the spend page lists it. A stop can concern all records or one object
 * type. A stop by a budget is a warning, and any other stop a failure.
 */
export async function stopsChecks(
  site: Site,
  { isKeyRefused }: { isKeyRefused: boolean },
): Promise<readonly Check[]> {
  const { services, policy, stack } = site;
  const found: Check[] = [];
  const checked = await runCheck('stops', 'stores-fail', async () => {
    const { spendBook, ledger, questions } = services;
    const books = { spendBook, ledger, waiting: services, stops: services };
    const { stops } = await readReport({
      ...books,
      clock: questions.clock,
      timeZone: policy.timeZone,
      stack: stack?.name,
    });
    const isElsewhere = ({ kind }: Stop) =>
      REPORTED_ELSEWHERE.has(kind) || (isKeyRefused && CAUSED_BY_KEY.has(kind));
    for (const stop of stops.filter((each) => !isElsewhere(each))) found.push(stopCheck(site, stop));
    return checkOf('stops', stops.some(isElsewhere) ? 'stops-reported-elsewhere' : 'nothing-stopped', {});
  });
  return found.length > 0 ? found : [checked];
}

function stopCheck(site: Pick<Site, 'stack'>, stop: Stop): Check {
  const { kind, what, sinceMs, records = 0, isMore = false, setting, whatToDo } = stop;
  const name = `stop ${kind}`;
  const params = {
    ...{ stop: kind, records, isMore, what: withoutPeriod(what) },
    whatToDo: `${setting ? `${setting}: ` : ''}${withoutPeriod(whatToDo)}`,
    ...(sinceMs !== undefined && { since: new Date(sinceMs).toISOString() }),
  };
  if (kind === 'stopped-by-person')
    return checkOf(name, 'stopped-by-person', { ...params, command: commandFor(site, 'spend resume') });
  return checkOf(name, BY_BUDGET.has(kind) ? 'stopped-by-budget' : 'stopped', params);
}

const NAME = 'alarm mail';

/** Checks that alarms reach a person. An unconfirmed address gets no mail, and no alarm can report this. */
export function alarmMailCheck(read: () => Promise<AlarmSubscriptions>): Promise<Check> {
  return runCheck(NAME, 'alarm-mail-not-checked', async () => {
    const found = await read();
    const { confirmed, pending } = found;
    if (confirmed + pending === 0) return checkOf(NAME, 'no-alarm-mail', found);
    if (pending === 0) return checkOf(NAME, 'alarm-mail-confirmed', { confirmed });
    return checkOf(NAME, confirmed === 0 ? 'alarm-mail-reaches-nobody' : 'alarm-mail-unconfirmed', found);
  });
}
