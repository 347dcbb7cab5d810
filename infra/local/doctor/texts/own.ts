import { counted, figure } from '#shared/kernel';
import { NO_PARAMS } from '../../text-row.ts';
import { fail, ok, warn } from './verdict.ts';

const SAID = { said: 'AWS refused the request (AccessDenied)' };
const BUDGETS = { budgets: [{ budget: 'total/day', leftCredits: 0, limitCredits: 50 }] };
const OFF = { seconds: 400, isBehind: true };
const STOP = { stop: 'out-of-credits', what: 'The balance is too low', whatToDo: 'buy credits' } as {
  readonly stop: string;
  readonly what: string;
  readonly whatToDo: string;
  readonly since?: string;
  readonly records?: number;
  readonly isMore?: boolean;
};
const PROBED = { found: ['a miss costs 1 credit'] };
const EXAMPLE_COMMAND = 'setup';
const NTP = 'synchronise the clock of this machine by NTP';

/** Results of the checks of the stores, the books, the stops and the clocks. */
export const OWN_TEXTS = {
  'tables-answer': ok({ path: '.data/real' }, ({ path }) => `all answer, in ${path}`),
  'tables-fail': fail(
    SAID,
    ({ said }) => said,
    'check that the stack or the data folder is complete, and that you may read it',
  ),
  'stores-fail': fail(SAID, ({ said }) => said, 'see the stores'),
  'queues-answer': ok({ queues: [{ queue: 'live', waiting: 3, inHand: 1 }] }, ({ queues }) =>
    queues
      .map(({ queue, waiting, inHand }) => `${queue}: ${waiting} waiting, ${inHand} in progress`)
      .join('; '),
  ),
  'dead-letters': warn(
    { count: 2, command: EXAMPLE_COMMAND },
    ({ count }) => counted(count, 'dead letter'),
    ({ command }) => `see "Dead letters" in the runbook, then run: ${command}`,
  ),
  'no-worker': warn(NO_PARAMS, 'no worker is running', 'run: npm start'),
  'books-hold': ok({ entries: 12 }, ({ entries }) => `${counted(entries, 'entry')}, all hold`),
  'newest-books-hold': ok(
    { entries: 12, command: EXAMPLE_COMMAND },
    ({ entries, command }) => `the newest ${counted(entries, 'entry')} hold; to verify all: ${command}`,
  ),
  'books-differ': fail(
    { seq: 7, problem: 'its total differs', more: 2, command: EXAMPLE_COMMAND },
    ({ seq, problem, more }) =>
      `entry ${seq} of the ledger does not hold: ${problem}${more > 0 ? `, and ${more} more` : ''}`,
    ({ command }) => `see "Books differ" in the runbook, then run: ${command}`,
  ),
  'books-in-time': ok(NO_PARAMS, 'not ahead of the clock'),
  'books-ahead': fail(
    { at: '2026-10-20T12:00:00Z', command: EXAMPLE_COMMAND },
    ({ at }) => `the newest entry says ${at}`,
    ({ command }) => `see "Books ahead of time" in the runbook, then run: ${command}`,
  ),
  'budgets-left': ok(BUDGETS, budgetsLeft),
  'budgets-used-up': warn(
    { ...BUDGETS, usedUp: ['total/day'] },
    budgetsLeft,
    ({ usedUp }) => `${usedUp.join(', ')}: wait until it resets, or raise it in the policy`,
  ),
  'budgets-are-zero': fail(
    BUDGETS,
    'all are 0, so no lookup is bought',
    'set budgets in the policy, or CREDITS_PER_DAY',
  ),
  'nothing-stopped': ok(NO_PARAMS, 'nothing is stopped'),
  'stops-reported-elsewhere': ok(NO_PARAMS, 'other checks report each stop'),
  stopped: fail(STOP, stopWords, ({ whatToDo }) => whatToDo),
  'stopped-by-budget': warn(STOP, stopWords, ({ whatToDo }) => whatToDo),
  'stopped-by-person': fail(
    { ...STOP, command: EXAMPLE_COMMAND },
    stopWords,
    ({ command }) => `when the reason is gone, run: ${command}`,
  ),
  'probe-not-done': ok(
    { command: EXAMPLE_COMMAND },
    ({ command }) => `not done; to learn what a miss costs: ${command}`,
  ),
  'probe-agrees': ok(PROBED, ({ found }) => found.join('; ')),
  'probe-differs': warn(
    { ...PROBED, advices: ['miss-is-free'], whatToDo: ["set noMatchCost: 'none'"] },
    ({ found }) => found.join('; '),
    ({ whatToDo }) => whatToDo.join('; '),
  ),
  'no-unknown-misses': ok(NO_PARAMS, 'no unpublished text was seen'),
  'unknown-misses': warn(
    { count: 3, last: '2026-10-20T12:00:00Z', words: ['nobody found'] },
    ({ count, last, words }) =>
      `${figure(count)} or more misses with unpublished texts, the last at ${last}: ${words.map((each) => `"${each}"`).join(', ')}`,
    'check that these texts mean "no match": such answers are stored as misses',
  ),
  'clock-not-wrong': ok(NO_PARAMS, 'not known to be wrong'),
  'clock-wrong': fail({ said: 'the clock of this machine is 400 s ahead' }, ({ said }) => said, NTP),
  'clock-right': ok(OFF, offWords),
  'clock-off': warn(OFF, offWords, NTP),
  'clock-far-off': fail(OFF, (params) => `${offWords(params)}: signatures are refused`, NTP),
};

function budgetsLeft({ budgets }: typeof BUDGETS): string {
  return budgets
    .map(
      ({ budget, leftCredits, limitCredits }) =>
        `${budget}: ${figure(leftCredits)} of ${figure(limitCredits)} left`,
    )
    .join('; ');
}

function stopWords({ what, since, records = 0, isMore = false }: typeof STOP): string {
  const times = [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(records > 0 ? [`${counted(records, 'record')}${isMore ? ' or more' : ''} waiting`] : []),
  ].join(', ');
  return `${what}${times === '' ? '' : ` (${times})`}`;
}

function offWords({ seconds, isBehind }: typeof OFF): string {
  return `this machine is ${seconds} s ${isBehind ? 'behind' : 'ahead'}`;
}
