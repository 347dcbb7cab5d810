import { isQueued } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { type WaitingReason, waitingCause } from './waiting-causes.ts';

type Waiting = NonNullable<RecordState['waiting']>;

const BY_PERSON = 'stopped-by-person' satisfies WaitingReason;

/**
 * Returns the wait of a record as it is now. While a person has stopped spending, a record whose next step is a purchase
 * waits for this person, whatever it waited for before.
 */
export function waitNow(
  state: Pick<RecordState, 'run' | 'waiting'>,
  isStoppedByPerson: boolean,
): Waiting | undefined {
  const { run, waiting } = state;
  if (!waiting || !isStoppedByPerson || run?.answeredQuestion !== undefined) return waiting;
  const { waitsFor } = waitingCause(waiting.reason);
  const isPurchaseNext = waitsFor === 'queue' || waitsFor === 'data-service' || waiting.reason === 'admitted';
  if (!isPurchaseNext || waiting.reason === BY_PERSON) return waiting;
  return { reason: BY_PERSON, untilMs: waiting.untilMs };
}

interface Waiter {
  readonly run?: RecordState['run'];
  readonly waiting: Waiting;
}

/**
 * Returns the end of a record's wait, as the text after "until".
 * @param timeWords returns the text of the due time, for a wait that ends at this time.
 */
export function endOfWait(waiter: Waiter, timeWords: (atMs: number) => string): string {
  return eventOfWait(waiter) ?? timeWords(waiter.waiting.untilMs);
}

/** Returns the event that ends a record's wait, as the text after "until"; `undefined` if it ends at its due time. */
export function eventOfWait({ run, waiting }: Waiter): string | undefined {
  return isQueued({ run, waiting }) ? 'its turn' : eventThatEnds(waiting.reason);
}

/** Returns the event that ends a wait for this reason; `undefined` if the wait ends at its due time. */
export function eventThatEnds(reason: string): string | undefined {
  return reason === BY_PERSON ? 'a person resumes spending' : undefined;
}
