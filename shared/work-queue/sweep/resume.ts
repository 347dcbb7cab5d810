import type { BudgetsNow } from '#shared/credit-ledger';
import { MINUTE_MS, mapInChunks } from '#shared/kernel';
import { type StopReason, withoutOldKey } from '#shared/questions';
import { changeRecord, dueNow, isQueued, type RecordState, type Run, waitingCause } from '#shared/records';
import { affordable } from './admit.ts';
import type { SweepServices } from './sweep-services.ts';

/** Records that one sweep admits without a credit, to see whether their answer is stored already. */
const MAX_LOOKED_UP = 100;

export interface Resumed {
  /** Records that were made due because what they waited for has ended. */
  readonly due: number;
  /** Records that wait for credits, and that no worker has looked at yet: their answer may be stored. */
  readonly untried: readonly RecordState[];
}

interface Resuming {
  /** Whether this sweep's own searches were answered. */
  readonly hubSpotAnswers: boolean;
  /** Most records that become due, so that a vendor that is back is not met by all at once. */
  readonly dueInSweep: number;
}

/**
 * Makes records due whose cause of waiting has ended, whatever time they were given: a budget, a stop of the data
 * service, an unreachable HubSpot, a wrong clock. Reads a bounded part of the waiting records; the next sweep continues there.
 */
export async function resumeWaiting(
  services: SweepServices,
  { hubSpotAnswers, dueInSweep }: Resuming,
): Promise<Resumed> {
  const { rounds, clock } = services;
  const nowMs = clock.now();
  const budgetsNow = await services.questions.ledger.now();
  const hasEnded = await causesNow(services, { hubSpotAnswers, budgetsNow });
  const lacksCredits = perSpender(({ purpose }) => affordable(services, budgetsNow, purpose) === 0);
  let [due, untried] = [0, 0];
  const picked = await rounds.waiting((state) => {
    if (isQueued(state)) {
      if (!isUntried(state) || !lacksCredits(state.run ?? { purpose: 'live' })) return false;
      untried += 1;
      return untried <= MAX_LOOKED_UP;
    }
    if (due >= dueInSweep || !isPutOff(state, nowMs) || !hasEnded(state)) return false;
    due += 1;
    return true;
  });
  const ended = picked.filter((state) => !isQueued(state));
  const resumed = await mapInChunks(ended, (record) =>
    changeRecord(services, record, (state) => ({
      state: dueNow(state, { reasons: reasonsOf(record), nowMs }),
    })),
  );
  const count = resumed.filter(({ state }) => state !== undefined).length;
  return { due: count, untried: picked.filter(isQueued) };
}

/** A queued record that no worker has tried: its answer may be stored already. */
function isUntried({ waiting }: RecordState): boolean {
  return waiting?.reason === 'queued';
}

/** A record that is due within a minute needs no wake-up: the sweep queues it anyway. */
function isPutOff({ run, waiting, claim }: RecordState, nowMs: number): boolean {
  return run !== undefined && !claim && (waiting?.untilMs ?? 0) > nowMs + MINUTE_MS;
}

function reasonsOf({ waiting }: RecordState): readonly string[] {
  return waiting ? [waiting.reason] : [];
}

/** Returns whether the cause of a record's wait has ended. */
async function causesNow(
  services: SweepServices,
  { hubSpotAnswers, budgetsNow }: { readonly hubSpotAnswers: boolean; readonly budgetsNow: BudgetsNow },
): Promise<(state: RecordState) => boolean> {
  const { breakers, clock, dearestCredits } = services;
  const nowMs = clock.now();
  const breakersNow = withoutOldKey(await breakers.read(), nowMs);
  const { keyRefused, outOfCredits, overcharged, doubtful, stopped } = breakersNow;
  // The sweep knows neither the key nor the vendor's balance: one record tries them whenever it is time to.
  const keyWorks = trial(keyRefused && nowMs >= keyRefused.probeAtMs, !keyRefused);
  const ends: Readonly<Record<StopReason | 'clock-wrong', () => boolean>> = {
    'key-refused': keyWorks,
    'wrong-address': keyWorks,
    'out-of-credits': trial(outOfCredits && nowMs >= outOfCredits.untilMs, !outOfCredits),
    'charges-above-list': () => !overcharged,
    'too-many-doubts': () => !doubtful,
    'stopped-by-person': () => !stopped,
    // A sweep with a wrong clock ends before it comes here.
    'clock-wrong': () => true,
  };
  const canPay = perSpender((run) => !budgetsNow.refusal(run, dearestCredits));
  return ({ run, waiting }) => {
    const reason = waiting?.reason ?? '';
    if (reason === 'budget') return run !== undefined && canPay(run);
    if (Object.hasOwn(ends, reason)) return ends[reason as keyof typeof ends]();
    return hubSpotAnswers && waitingCause(reason).endsWithAnswer === true;
  };
}

/** True each time once the stop has ended; before, true for one record, if a trial is due. */
function trial(isDue: boolean | undefined, hasEnded: boolean): () => boolean {
  let left = isDue ? 1 : 0;
  return () => {
    if (hasEnded) return true;
    left -= 1;
    return left >= 0;
  };
}

type Spending = Pick<Run, 'purpose' | 'overrulesReserve'>;

/** Budgets take long to look at, and a sweep looks at many records: each kind of spender is decided once. */
function perSpender(decide: (run: Spending) => boolean): (run: Spending) => boolean {
  const known = new Map<string, boolean>();
  return (run) => {
    const key = `${run.purpose} ${run.overrulesReserve}`;
    const decided = known.get(key) ?? decide(run);
    known.set(key, decided);
    return decided;
  };
}
