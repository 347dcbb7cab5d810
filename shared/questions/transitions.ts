import type { OpenReservation } from '#shared/credit-ledger/schemas.ts';
import { laneOf } from '#shared/crm/lane.ts';
import { assert } from '#shared/kernel/errors.ts';
import { QUESTION_OPERATIONS } from './question.ts';
import type { Attempt, QuestionItem, StoredAnswer } from './schemas.ts';
import { withAnswer } from './stored-answers.ts';

/**
 * The life of a question's item. Each function takes the item and an event to the next item, or refuses by name;
 * nothing else builds such an item.
 *
 *             lease               send                complete
 *     free ----------> leased -----------> in-flight ----------> completed
 *      ^               |  ^ ^                  |                 ^   ^   |
 *      +---------------+  | | renew, lease     | doubt           |   |   |
 *       release, expire   | +-- (taken over)   v     complete,   |   |   |
 *                         |                in-doubt -------------+   |   |
 *                         |                    ^     resolve         |   |
 *                         |                    | restoreDoubt        |   |
 *                         |                 no item any more         |   |
 *                         +----------------------------------------------+ lease
 *
 *     in-flight --chargeFirst--> in-flight, charge known --complete--> completed        (answers above 300 KB)
 *
 * - The fencing token rises with `lease`, `expire` and `resolve` and never falls: by it a stale holder is refused.
 * - Up to `leased` nothing can have been charged. From `in-flight` on nothing is sent until the charge is told.
 * - `completed` keeps the charge until the next lease, and who takes that one books the charge first.
 * - Answers come and go beside the states: with `complete`, late with `keepAnswer`, less with `withAnswers`.
 */
export type Transition<Refusal extends string, Item extends QuestionItem = AttemptedItem> =
  | { readonly kind: 'next'; readonly value: Item }
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly value?: undefined };

export type AttemptedItem = QuestionItem & { readonly attempt: Attempt };
type Known = QuestionItem | undefined;
type Charge = NonNullable<Attempt['charge']>;

export interface Lease
  extends Pick<QuestionItem, 'key' | 'operation'>,
    Pick<Attempt, 'purpose' | 'options' | 'worstCaseCredits' | 'leaseUntilMs'> {
  readonly nowMs: number;
}

/** Takes a question that is free or completed, or whose holder has sent nothing and is gone or gives way. */
export function lease(item: Known, event: Lease): Transition<Obstacle> {
  const reason = obstacle(item?.attempt, event);
  if (reason) return refused(reason);
  const { key, operation, nowMs, ...given } = event;
  const fencingToken = nextToken(item, nowMs);
  const attempt = attemptOf({ ...given, key, fencingToken, state: 'leased' });
  return next({ ...(item ?? { key, operation }), fencingToken, attempt });
}

export type Obstacle = 'held' | 'in-flight' | 'in-doubt';

/** What keeps the question from being leased; bulk work that has sent nothing yet lets live work go first. */
export function obstacle(
  attempt: Attempt | undefined,
  { purpose, nowMs }: Pick<Lease, 'purpose' | 'nowMs'>,
): Obstacle | undefined {
  if (!attempt || attempt.state === 'completed') return undefined;
  if (attempt.state !== 'leased') return attempt.state;
  const givesWay = laneOf(attempt.purpose) === 'bulk' && laneOf(purpose) === 'live';
  return nowMs >= attempt.leaseUntilMs || givesWay ? undefined : 'held';
}

type Held = Pick<Attempt, 'fencingToken'>;

export function renew(item: Known, event: Held & { readonly leaseUntilMs: number }): Transition<'not-held'> {
  if (!isHeld(item, event)) return refused('not-held');
  return next({ ...item, attempt: { ...item.attempt, leaseUntilMs: event.leaseUntilMs } });
}

/** Nothing was sent: the question is as free as before. */
export function release(item: Known, holder: Held): Transition<'not-held', QuestionItem> {
  return isHeld(item, holder) ? next({ ...item, attempt: undefined }) : refused('not-held');
}

/** From here on a crash leaves a doubt and never a repeat. */
export function send(
  item: Known,
  { sentAtMs, deadlineAtMs, ...holder }: Held & { readonly sentAtMs: number; readonly deadlineAtMs: number },
): Transition<'not-held'> {
  if (!isHeld(item, holder)) return refused('not-held');
  return next({ ...item, attempt: { ...item.attempt, state: 'in-flight', sentAtMs, deadlineAtMs } });
}

/** Fences a holder off whose time is over with nothing sent: should it come back, it finds another token. */
export function expire(
  item: Known,
  { nowMs }: { readonly nowMs: number },
): Transition<'not-leased' | 'held', QuestionItem> {
  if (item?.attempt?.state !== 'leased') return refused('not-leased');
  if (nowMs < item.attempt.leaseUntilMs) return refused('held');
  return next({ ...item, attempt: undefined, fencingToken: nextToken(item, nowMs) });
}

export interface Completion extends Held {
  readonly charge: Charge;
  readonly answer?: StoredAnswer | undefined;
  readonly nowMs: number;
}

/** Whoever holds the question is known to be dead: lease and time for an answer are over now. */
export function orphan(item: QuestionItem, nowMs: number): QuestionItem | undefined {
  const { attempt } = item;
  if (!attempt) return undefined;
  const leaseUntilMs = Math.min(attempt.leaseUntilMs, nowMs);
  const deadlineAtMs = attempt.deadlineAtMs && Math.min(attempt.deadlineAtMs, nowMs);
  return { ...item, attempt: { ...attempt, leaseUntilMs, deadlineAtMs } };
}

/** The charge is known, and its answer is on the way into items of its own: lost now, it is no doubt. */
export function chargeFirst(
  item: Known,
  { fencingToken, charge }: Pick<Completion, 'fencingToken' | 'charge'>,
): Transition<'not-open'> {
  const attempt = item?.attempt;
  if (!item || attempt?.state !== 'in-flight' || attempt.fencingToken !== fencingToken)
    return refused('not-open');
  return next({ ...item, attempt: { ...attempt, charge } });
}

/** The proof of what became of a request; it beats the doubt that a sweep declared meanwhile. */
export function complete(
  item: Known,
  { fencingToken, charge, answer, nowMs }: Completion,
): Transition<'not-open'> {
  const attempt = item?.attempt;
  const isOpen = attempt?.state === 'in-flight' || attempt?.state === 'in-doubt';
  if (!item || !isOpen || attempt.fencingToken !== fencingToken) return refused('not-open');
  const completed: Attempt = { ...attempt, state: 'completed', charge };
  return next({ ...item, ...(answer && withAnswer(item, answer, nowMs)), attempt: completed });
}

/** Nobody can know what became of the request. */
export function doubt(item: Known, { fencingToken }: Held): Transition<'not-in-flight'> {
  const attempt = item?.attempt;
  if (!item || attempt?.state !== 'in-flight' || attempt.fencingToken !== fencingToken)
    return refused('not-in-flight');
  return next({ ...item, attempt: { ...attempt, state: 'in-doubt' } });
}

/** Ends a doubt with what somebody knows, or believes, of the charge. */
export function resolve(
  item: Known,
  { charged, reason, nowMs }: { readonly charged: boolean; readonly reason: string; readonly nowMs: number },
): Transition<'not-in-doubt'> {
  const attempt = item?.attempt;
  if (!item || attempt?.state !== 'in-doubt') return refused('not-in-doubt');
  const charge = { credits: charged ? attempt.worstCaseCredits : 0, reason };
  return next({
    ...item,
    fencingToken: nextToken(item, nowMs),
    attempt: { ...attempt, state: 'completed', charge },
  });
}

/**
 * A question has an item before it has a reservation, and the item outlives it by days. Where it is gone, no sweep
 * came for so long that the charge went with it: nobody can know it, so it is a doubt that a person can resolve.
 */
export function restoreDoubt(item: Known, open: OpenReservation): Transition<'exists'> {
  if (item) return refused('exists');
  const { id, questionKey: key, purpose, amountCredits: worstCaseCredits, atMs } = open;
  const operation = QUESTION_OPERATIONS.find((each) => each === open.operation);
  assert(operation, 'what is reserved is a question');
  const fencingToken = Number(id.slice(id.lastIndexOf(':') + 1));
  const times = { leaseUntilMs: atMs, deadlineAtMs: atMs };
  const lost = { key, fencingToken, state: 'in-doubt', purpose, options: [], worstCaseCredits } as const;
  return next({ key, operation, fencingToken, attempt: attemptOf({ ...lost, ...times }) });
}

/** An answer whose doubt was resolved before it came: its attempt is over, and what was paid for is kept all the same. */
export function keepAnswer(
  item: Known,
  { answer, nowMs }: { readonly answer: StoredAnswer; readonly nowMs: number },
): Transition<'no-item', QuestionItem> {
  return item ? next({ ...item, ...withAnswer(item, answer, nowMs) }) : refused('no-item');
}

/** The same item with less in its answers; the attempt stays, since the books are finished from it. */
export function withAnswers(item: QuestionItem, [answer, ...older]: readonly StoredAnswer[]): QuestionItem {
  return { ...item, answer, olderAnswers: older.length > 0 ? older : undefined };
}

function attemptOf({ key, ...attempt }: Omit<Attempt, 'reservationId'> & { readonly key: string }): Attempt {
  return { ...attempt, reservationId: `${key}:${attempt.fencingToken}` };
}

/** Of the clock, so that it rises on even where an older item is gone: no reservation's id comes twice. */
function nextToken(item: Known, nowMs: number): number {
  return Math.max((item?.fencingToken ?? 0) + 1, nowMs);
}

function isHeld(item: Known, { fencingToken }: Held): item is AttemptedItem {
  return item?.attempt?.state === 'leased' && item.attempt.fencingToken === fencingToken;
}

function next<Item extends QuestionItem>(value: Item): { readonly kind: 'next'; readonly value: Item } {
  return { kind: 'next', value };
}

function refused<Refusal extends string>(reason: Refusal) {
  return { kind: 'refused', reason } as const;
}
