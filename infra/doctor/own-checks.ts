import type { AlarmSubscriptions } from '#shared/alerts/adapters';
import { isAhead } from '#shared/credit-ledger';
import { SECOND_MS, wrongClock } from '#shared/kernel';
import { recordKind } from '#shared/records';
import { readReport, type Stop } from '#shared/spend';
import type { ServerClock } from '../local/observed-send.ts';
import { countQueues } from '../local/queues.ts';
import { withoutPeriod } from '../text-row.ts';
import {
  type Check,
  type CheckRow,
  checkOf,
  commandFor,
  runChecks,
  type Site,
  seen,
  type WholeSite,
} from './check.ts';

export const BUDGETS: CheckRow<Site> = {
  name: 'budgets',
  failed: 'stores-fail',
  see: async ({ services }) => {
    const states = (await services.ledger.now()).states();
    const budgets = states.map(({ budget, leftCredits, limitCredits }) => ({
      budget,
      leftCredits,
      limitCredits,
    }));
    if (budgets.every(({ limitCredits }) => limitCredits === 0)) return seen('budgets-are-zero', { budgets });
    const usedUp = budgets.filter(({ leftCredits }) => leftCredits <= 0).map(({ budget }) => budget);
    if (usedUp.length > 0) return seen('budgets-used-up', { budgets, usedUp });
    return seen('budgets-left', { budgets });
  },
};

/** The checks of the tables, the queues and the ledger. */
export const STORE_CHECKS: readonly CheckRow<WholeSite>[] = [
  {
    name: 'tables',
    failed: 'tables-fail',
    see: async ({ services, path }) => {
      await Promise.all([
        services.records.read(recordKind.key({ objectType: 'contacts', id: 'doctor' })),
        services.records.list({ partition: recordKind.partition('waiting-live'), limit: 1 }),
        services.ledger.newest(),
        services.questions.suppressionList.among(['doctor']),
      ]);
      return seen('tables-answer', { path });
    },
  },
  {
    name: 'queues',
    failed: 'tables-fail',
    see: async (site) => {
      const counts = await countQueues(site.queues);
      const count = counts.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
      if (count > 0) return seen('dead-letters', { count, command: commandFor(site, 'queue requeue') });
      if (!site.hasWorkers) return seen('no-worker', {});
      const queues = counts.map(({ queue, waiting, inHand }) => ({ queue, waiting, inHand }));
      return seen('queues-answer', { queues });
    },
  },
  {
    name: 'books',
    failed: 'tables-fail',
    see: async (site) => {
      const { entries, problems, isWhole } = await site.services.checkBooks();
      const [first] = problems;
      const command = commandFor(site, 'ledger verify');
      if (first) {
        const params = { seq: first.seq, problem: withoutPeriod(first.problem), more: problems.length - 1 };
        return seen('books-differ', { ...params, command });
      }
      return isWhole ? seen('books-hold', { entries }) : seen('newest-books-hold', { entries, command });
    },
  },
  {
    /** Until the time of such an entry, all charges would be booked on the entry's day. */
    name: 'time of the books',
    failed: 'tables-fail',
    see: async (site) => {
      const newest = await site.services.ledger.newest();
      if (!newest || !isAhead(newest, site.services.questions.clock.now())) return seen('books-in-time', {});
      const at = new Date(newest.atMs).toISOString();
      return seen('books-ahead', { at, command: commandFor(site, 'ledger set-back') });
    },
  },
  {
    /** The records of these lookups stay as they are until a person decides. */
    name: 'unknown outcomes',
    failed: 'tables-fail',
    see: async (site) => {
      const doubts = await site.services.openDoubts();
      if (doubts.length === 0) return seen('no-doubts', {});
      return seen('doubts-open', { count: doubts.length, command: commandFor(site, 'doubts list') });
    },
  },
  BUDGETS,
];

/** Compares our clock with the store's, or with the servers'. While the clocks differ, no credit is spent. */
export function clockCheck({ services }: Site): Check {
  const said = wrongClock(services.questions);
  if (said === undefined) return checkOf('clock', 'clock-not-wrong', {});
  return checkOf('clock', 'clock-wrong', { said: withoutPeriod(said) });
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
  const { spendBook, ledger, questions } = services;
  const isElsewhere = ({ kind }: Stop) =>
    REPORTED_ELSEWHERE.has(kind) || (isKeyRefused && CAUSED_BY_KEY.has(kind));
  const found: Check[] = [];
  const see = async () => {
    const books = { spendBook, ledger, waiting: services, stops: services, stack: stack?.name };
    const { stops } = await readReport({ ...books, clock: questions.clock, timeZone: policy.timeZone });
    found.push(...stops.filter((stop) => !isElsewhere(stop)).map((stop) => stopCheck(site, stop)));
    return seen(stops.some(isElsewhere) ? 'stops-reported-elsewhere' : 'nothing-stopped', {});
  };
  const checked = await runChecks([{ name: 'stops', failed: 'stores-fail', see }], site);
  return found.length > 0 ? found : checked;
}

function stopCheck(site: Pick<Site, 'stack'>, stop: Stop): Check {
  const { kind, what, sinceMs, records = 0, isMore = false, setting, whatToDo } = stop;
  const name = `stop ${kind}`;
  const params = {
    stop: kind,
    records,
    isMore,
    what: withoutPeriod(what),
    whatToDo: `${setting ? `${setting}: ` : ''}${withoutPeriod(whatToDo)}`,
    ...(sinceMs !== undefined && { since: new Date(sinceMs).toISOString() }),
  };
  if (kind === 'stopped-by-person')
    return checkOf(name, 'stopped-by-person', { ...params, command: commandFor(site, 'spend resume') });
  return checkOf(name, BY_BUDGET.has(kind) ? 'stopped-by-budget' : 'stopped', params);
}

/** Checks that alarms reach a person. An unconfirmed address gets no mail, and no alarm can report this. */
export const ALARM_MAIL: CheckRow<() => Promise<AlarmSubscriptions>> = {
  name: 'alarm mail',
  failed: 'alarm-mail-not-checked',
  see: async (read) => {
    const subscriptions = await read();
    const { confirmed, pending } = subscriptions;
    if (confirmed + pending === 0) return seen('no-alarm-mail', subscriptions);
    if (pending === 0) return seen('alarm-mail-confirmed', { confirmed });
    return seen(confirmed === 0 ? 'alarm-mail-reaches-nobody' : 'alarm-mail-unconfirmed', subscriptions);
  },
};
