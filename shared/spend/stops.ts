import { type BudgetState, type LedgerFault, refusalSentence } from '#shared/credit-ledger';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type BreakerState, STOP_SENTENCES, type StopReason } from '#shared/questions';
import { type RecordItems, WAITING_PLACES, type WriteBreakers } from '#shared/records';
import type { WhoWaits } from './who-waits.ts';

export type StopKind =
  | StopReason
  | 'ledger-broken'
  | 'writes-refused'
  | 'no-budget'
  | 'budget-used-up'
  | 'reserved-for-leads';

/** Why nothing, or not everything, is asked now. For a person; no personal data. */
export interface Stop {
  readonly kind: StopKind;
  readonly what: string;
  /** The setting that it hangs on, if on one. */
  readonly setting?: string | undefined;
  readonly whatToDo: string;
  /** Epoch milliseconds, as far as known. */
  readonly sinceMs?: number | undefined;
  /** When it is tried again, or ends by itself; absent where it does not. */
  readonly untilMs?: number | undefined;
  /** Records that wait for it; absent where nobody counted. */
  readonly records?: number | undefined;
  /** There are more of them: so many are counted at most. */
  readonly isMore?: boolean | undefined;
}

/** How the breakers stand, and who waits for them. */
export interface StopFacts {
  readonly breakers: BreakerState;
  readonly refusals: readonly Refusal[];
  /** What the last audit of the ledger found. */
  readonly ledgerFault?: LedgerFault | undefined;
  /** Records by the reason for which they wait, those that wait for HubSpot to take writes with their type. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly isMore: boolean;
}

interface Refusal {
  readonly objectType: ObjectType;
  readonly reason: string;
  readonly sinceMs: number;
  readonly probeAtMs: number;
}

export interface StopSources {
  readonly breakers: { read(): Promise<BreakerState> };
  readonly writeBreakers: Pick<WriteBreakers, 'open'>;
  readonly ledgerFault: () => Promise<LedgerFault | undefined>;
}

/** Of each place no more are looked at: each is read. */
const LOOKED_AT = 1_000;
const REFUSED = 'HUBSPOT_REFUSES';

/** Reads the breakers, and the records that wait only where one is open. @param records nobody is counted without them. */
export async function readStops(
  { breakers, writeBreakers, ledgerFault: readFault }: StopSources,
  records: Pick<RecordItems, 'list'> | undefined,
): Promise<StopFacts> {
  const [state, ledgerFault, ...open] = await Promise.all([
    breakers.read(),
    readFault(),
    ...OBJECT_TYPES.map((type) => writeBreakers.open(type)),
  ]);
  const refusals = OBJECT_TYPES.flatMap((objectType, index): Refusal[] => {
    const refusal = open[index];
    return refusal ? [{ objectType, ...refusal }] : [];
  });
  const { keyRefused, outOfCredits, overcharged, doubtful, stopped } = state;
  const isOpen =
    refusals.length > 0 || Boolean(keyRefused ?? outOfCredits ?? overcharged ?? doubtful ?? stopped);
  const waiting = new Map<string, number>();
  let isMore = false;
  if (!isOpen || !records) return { breakers: state, refusals, ledgerFault, waiting, isMore };
  const timed = WAITING_PLACES.filter((place) => place.startsWith('waiting-'));
  for (const partition of timed) {
    const found = await records.list({ partition, limit: LOOKED_AT });
    isMore ||= found.length === LOOKED_AT;
    for (const { waiting: wait, objectType } of found) {
      const reason = wait?.reason === REFUSED ? `${REFUSED} ${objectType}` : (wait?.reason ?? '');
      waiting.set(reason, (waiting.get(reason) ?? 0) + 1);
    }
  }
  return { breakers: state, refusals, ledgerFault, waiting, isMore };
}

interface Situation {
  readonly facts: StopFacts | undefined;
  readonly budgets: readonly BudgetState[];
  readonly waiting: WhoWaits | undefined;
  readonly nowMs: number;
}

/** What is wrong, the worst first. */
export function stopsOf({ facts, budgets, waiting, nowMs }: Situation): Stop[] {
  const inTurn = waiting?.inTurn.reduce((sum, { records }) => sum + records, 0);
  return [
    ...(facts?.ledgerFault ? [ledgerStop(facts.ledgerFault)] : []),
    ...(facts ? breakerStops(facts, nowMs) : []),
    ...budgetStops(budgets, inTurn),
    ...reserveStops(waiting),
  ];
}

/** Nothing waits for it, and the figures may be wrong. */
function ledgerStop({ seq, problem, sinceMs }: LedgerFault): Stop {
  const what = `The ledger was changed by hand or lost an entry: entry ${seq} does not hold. ${problem}`;
  return { kind: 'ledger-broken', what, ...REMEDIES['ledger-broken'], sinceMs };
}

function breakerStops({ breakers, refusals, waiting, isMore }: StopFacts, nowMs: number): Stop[] {
  const { keyRefused, outOfCredits, overcharged, doubtful, probe, stopped } = breakers;
  const stop = (kind: StopReason, sinceMs: number, untilMs?: number): Stop => ({
    ...{ kind, what: STOP_SENTENCES[kind], ...REMEDIES[kind], sinceMs, untilMs },
    ...{ records: waiting.get(kind) ?? 0, isMore },
  });
  const isUnpaid = outOfCredits && outOfCredits.untilMs > nowMs;
  return [
    ...(stopped ? [{ ...stop('stopped-by-person', stopped.sinceMs), what: stopWords(stopped) }] : []),
    ...(keyRefused ? [stop(keyRefused.why ?? 'key-refused', keyRefused.sinceMs, keyRefused.probeAtMs)] : []),
    ...(isUnpaid ? [stop('out-of-credits', outOfCredits.sinceMs, outOfCredits.untilMs)] : []),
    ...(overcharged ? [stop('charges-above-list', overcharged.sinceMs, probe?.atMs)] : []),
    ...(doubtful ? [stop('too-many-doubts', doubtful.sinceMs, probe?.atMs)] : []),
    ...refusals.map(
      ({ objectType, reason, sinceMs, probeAtMs: untilMs }): Stop => ({
        kind: 'writes-refused',
        what: `HubSpot refuses what is written to ${objectType}: ${reason}.`,
        ...REMEDIES['writes-refused'],
        ...{ sinceMs, untilMs, records: waiting.get(`${REFUSED} ${objectType}`) ?? 0, isMore },
      }),
    ),
  ];
}

function stopWords({ reason, by }: NonNullable<BreakerState['stopped']>): string {
  return `${STOP_SENTENCES['stopped-by-person']} Reason: ${reason}${by === undefined ? '' : ` (${by})`}.`;
}

function budgetStops(budgets: readonly BudgetState[], records: number | undefined): Stop[] {
  const total = budgets.filter(({ budget }) => budget.startsWith('total/'));
  if (total.length === 0)
    return [
      { kind: 'no-budget', what: 'No budget is set: nothing is spent.', ...REMEDIES['no-budget'], records },
    ];
  return total
    .filter(({ leftCredits }) => leftCredits <= 0)
    .map(({ budget, resetsAtMs }) => ({
      kind: 'budget-used-up',
      what: `The budget for everything is used up, per ${budget.slice('total/'.length)}.`,
      ...REMEDIES['budget-used-up'],
      ...{ untilMs: resetsAtMs, records },
    }));
}

/** Records that the reserve for leads keeps waiting. */
function reserveStops(waiting: WhoWaits | undefined): Stop[] {
  const lines = waiting?.inTurn.filter(({ refusal }) => refusal?.keptCredits) ?? [];
  const [first] = lines.flatMap(({ refusal }) => refusal ?? []);
  if (!first) return [];
  const records = lines.reduce((sum, line) => sum + line.records, 0);
  const { whatToDo } = REMEDIES['reserved-for-leads'];
  const untilMs = first.opensAtMs;
  return [{ kind: 'reserved-for-leads', what: refusalSentence(first), whatToDo, untilMs, records }];
}

/** What is to be done, and where. */
export const REMEDIES: Readonly<Record<StopKind, Pick<Stop, 'setting' | 'whatToDo'>>> = {
  'ledger-broken': {
    whatToDo:
      'Run ledger verify, and see "Books differ" in the runbook. Do not rely on the figures until then.',
  },
  'key-refused': {
    setting: 'DATA_SERVICE_API_KEY',
    whatToDo: 'Put an active key there, and restart; of a stack: npm run deploy -- --replace-secrets.',
  },
  'wrong-address': {
    setting: 'DATA_SERVICE_BASE_URL, of a stack dataServiceBaseUrl',
    whatToDo: "Set the data service's address, and restart or deploy.",
  },
  'out-of-credits': { whatToDo: 'Buy credits from the data service, and book them with ledger grant.' },
  'charges-above-list': {
    whatToDo:
      "Compare the data service's usage list with spend charges, and ask the data service for the difference.",
  },
  'too-many-doubts': {
    whatToDo: 'See whether the data service is up. Afterwards settle what is in doubt: doubts list.',
  },
  'stopped-by-person': {
    whatToDo: 'Run spend resume when the reason is gone. Stored answers are still used meanwhile.',
  },
  'writes-refused': {
    whatToDo:
      'Put right what it names, or give the app its scopes back. Nothing more is bought before a write succeeds.',
  },
  'no-budget': {
    setting: 'budgets, in the policy',
    whatToDo: 'Set a budget for everything, a day or a month.',
  },
  'budget-used-up': {
    setting: 'budgets, in the policy',
    whatToDo: 'Wait, or raise it: what waits goes on by itself.',
  },
  'reserved-for-leads': { whatToDo: 'Wait, or start some of the records now: queue admit.' },
};
