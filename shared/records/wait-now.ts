import { isQueued } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { type WaitingReason, waitingCause } from './waiting-causes.ts';

type Waiting = NonNullable<RecordState['waiting']>;

const BY_PERSON = 'stopped-by-person' satisfies WaitingReason;
const ADMITTED = 'admitted' satisfies WaitingReason;
const FOR_BUDGET = 'budget' satisfies WaitingReason;
const QUEUED = 'queued' satisfies WaitingReason;

/**
 * Returns the wait of a record as it is now. While a person has stopped spending, a record whose next step is a purchase
 * waits for this person, whatever it waited for before. After the stop, such a record is about to start. So is a record
 * that a person took out of the queue. A queued record has no detail about a budget: the credits left are those of its
 * last attempt.
 * @param isStoppedByPerson `undefined` if the caller does not know it. The stored reason then stays.
 */
export function waitNow(
  state: Pick<RecordState, 'run' | 'waiting'>,
  isStoppedByPerson: boolean | undefined,
): Waiting | undefined {
  const { run, waiting } = state;
  if (!waiting) return undefined;
  if (waiting.reason === BY_PERSON)
    return isStoppedByPerson === false ? { reason: ADMITTED, untilMs: waiting.untilMs } : waiting;
  if (!isStoppedByPerson || run?.answeredQuestion !== undefined) return inQueueNow({ run, waiting });
  const { waitsFor } = waitingCause(waiting.reason);
  const isPurchaseNext = waitsFor === 'queue' || waitsFor === 'data-service' || waiting.reason === ADMITTED;
  if (!isPurchaseNext) return waiting;
  return { reason: BY_PERSON, untilMs: waiting.untilMs };
}

function inQueueNow({ run, waiting }: Omit<Waiter, 'nowMs'>): Waiting {
  const { detail: _, params: _figures, ...now } = waiting;
  if (isQueued({ run, waiting })) return waiting.reason === FOR_BUDGET ? now : waiting;
  return waiting.reason === QUEUED ? { ...waiting, reason: ADMITTED } : waiting;
}

/** Events that end a wait, as the text after "until". */
export const WAIT_END_TEXTS = {
  'own-turn': 'its turn',
  'free-worker': 'a worker is free',
  'larger-budget': 'a person sets a larger budget',
  resumed: 'a person resumes spending',
  'backfill-resumed': 'a person resumes the backfill',
  'next-sweep': 'the next check, within a minute',
} as const;

type WaitEnd = keyof typeof WAIT_END_TEXTS;

const ENDING_EVENTS: ReadonlyMap<string, WaitEnd> = new Map([
  [BY_PERSON, 'resumed'],
  [ADMITTED, 'free-worker'],
  ['backfill-paused', 'backfill-resumed'],
]);

interface Waiter {
  readonly run?: RecordState['run'];
  readonly waiting: Waiting;
  readonly nowMs: number;
}

/**
 * Returns the end of a record's wait, as the text after "until": an event, with the earliest time if it is known, or the
 * due time.
 * @param timeWords returns the text of a time.
 */
export function endOfWait(waiter: Waiter, timeWords: (atMs: number) => string): string {
  const event = eventOfWait(waiter);
  const earliestMs = earliestEndMs(waiter);
  if (event === undefined) return timeWords(waiter.waiting.untilMs);
  return earliestMs === undefined ? event : `${event}, after ${timeWords(earliestMs)}`;
}

/**
 * Returns the time when a budget opens for a queued record; `undefined` for other waits that end with an event, and if
 * this time has passed.
 */
export function earliestEndMs({ run, waiting, nowMs }: Waiter): number | undefined {
  const isTimed = waiting.reason === FOR_BUDGET && !waiting.isAboveLimit && waiting.untilMs >= nowMs;
  return isTimed && isQueued({ run, waiting }) ? waiting.untilMs : undefined;
}

/** Returns the event that ends a record's wait, as the text after "until"; `undefined` if it ends at its due time. */
export function eventOfWait(waiter: Waiter): string | undefined {
  const code = waitEnd(waiter);
  return code && WAIT_END_TEXTS[code];
}

/**
 * Returns the code of the event that ends a record's wait; `undefined` if the wait ends at its due time. A wait that is
 * due ends with the next sweep.
 */
export function waitEnd({ run, waiting, nowMs }: Waiter): WaitEnd | undefined {
  if (waiting.isAboveLimit) return 'larger-budget';
  if (isQueued({ run, waiting })) return 'own-turn';
  return ENDING_EVENTS.get(waiting.reason) ?? (waiting.untilMs < nowMs ? 'next-sweep' : undefined);
}

/** Returns the event that ends a wait for this reason; `undefined` if the wait ends at its due time. */
export function eventThatEnds(reason: string): string | undefined {
  const code = ENDING_EVENTS.get(reason);
  return code && WAIT_END_TEXTS[code];
}
