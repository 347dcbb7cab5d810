import type { BudgetsNow } from '#shared/credit-ledger';
import { MINUTE_MS, mapInChunks } from '#shared/kernel';
import { type StopReason, withoutOldKey } from '#shared/questions';
import { changeRecord, dueNow, isQueued, type RecordState, type Run, waitingCause } from '#shared/records';
import { affordable } from './admit.ts';
import type { SweepServices } from './sweep-window.ts';

/**
 * Maximum number of records that one sweep admits although no credits are left. A worker checks whether their answer is
 * already stored.
 */
const MAX_LOOKED_UP = 100;

export interface Resumed {
  /** Records that became due because the cause of their wait has ended. */
  readonly due: number;
  /** Records that wait for credits and that no worker has tried yet. Their answer may be stored. */
  readonly untried: readonly RecordState[];
}

interface Resuming {
  /** Whether HubSpot answered this sweep's own searches. */
  readonly hubSpotAnswers: boolean;
  /** Maximum number of records that become due. The limit protects a vendor that has just recovered. */
  readonly dueInSweep: number;
}

/**
 * Makes records due if the cause of their wait has ended: a budget, a stop of the data service, an unreachable HubSpot,
 * a wrong clock. The records' wake-up time does not matter. Reads a bounded part of the waiting records. The next sweep
 * reads the next part.
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
    if (due >= dueInSweep || !isPostponed(state, nowMs) || !hasEnded(state)) return false;
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

/** Whether a queued record was not tried by a worker yet. Its answer may already be stored. */
function isUntried({ waiting }: RecordState): boolean {
  return waiting?.reason === 'queued';
}

/** Whether a record is postponed for more than a minute. The sweep queues other records anyway. */
function isPostponed({ run, waiting, claim }: RecordState, nowMs: number): boolean {
  return run !== undefined && !claim && (waiting?.untilMs ?? 0) > nowMs + MINUTE_MS;
}

function reasonsOf({ waiting }: RecordState): readonly string[] {
  return waiting ? [waiting.reason] : [];
}

/** Returns a function that tells whether the cause of a record's wait has ended. */
async function causesNow(
  services: SweepServices,
  { hubSpotAnswers, budgetsNow }: { readonly hubSpotAnswers: boolean; readonly budgetsNow: BudgetsNow },
): Promise<(state: RecordState) => boolean> {
  const { breakers, clock, dearestCredits } = services;
  const nowMs = clock.now();
  const breakersNow = withoutOldKey(await breakers.read(), nowMs);
  const { keyRefused, outOfCredits, overcharged, doubtful, stopped } = breakersNow;
  // The sweep knows neither the key nor the vendor's balance. When a retry is due, one record tests them.
  const keyWorks = trial(keyRefused && nowMs >= keyRefused.probeAtMs, !keyRefused);
  const ends: Readonly<Record<StopReason | 'clock-wrong', () => boolean>> = {
    'key-refused': keyWorks,
    'wrong-address': keyWorks,
    'out-of-credits': trial(outOfCredits && nowMs >= outOfCredits.untilMs, !outOfCredits),
    'charges-above-list': () => !overcharged,
    'too-many-doubts': () => !doubtful,
    'stopped-by-person': () => !stopped,
    // A sweep with a wrong clock stops before this point.
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

/**
 * Returns a function that always returns true if the stop has ended. If a retry is due, the function returns true a
 * single time.
 */
function trial(isDue: boolean | undefined, hasEnded: boolean): () => boolean {
  let left = isDue ? 1 : 0;
  return () => {
    if (hasEnded) return true;
    left -= 1;
    return left >= 0;
  };
}

type Spending = Pick<Run, 'purpose' | 'overrulesReserve'>;

/** Caches the decision for each purpose, because checking a budget is slow and a sweep checks many records. */
function perSpender(decide: (run: Spending) => boolean): (run: Spending) => boolean {
  const known = new Map<string, boolean>();
  return (run) => {
    const key = `${run.purpose} ${run.overrulesReserve}`;
    const decided = known.get(key) ?? decide(run);
    known.set(key, decided);
    return decided;
  };
}
