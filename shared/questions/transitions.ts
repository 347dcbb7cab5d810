import { type Attempt, MAX_BOOKED_DOUBTS, type QuestionItem, type StoredAnswer } from './schemas.ts';
import { withAnswer } from './stored-answers.ts';

/**
 * The states of a question's item. Each function takes the item and an event, and returns the next item or the reason
 * of a refusal. No other module builds an item.
 *
 *             send                   complete
 *     free ----------> in-flight ----------------> completed
 *                          |                      ^  ^    |
 *                          | doubt     complete,  |  |    |
 *                          v           resolve    |  |    |
 *                      in-doubt ------------------+  |    |
 *                                                    |    |
 *                              in-flight <-----------|----+ send
 *
 * - `send` is the only lock of a question: a write on the condition that the item still has the version that was read.
 * - The fencing token rises with `send` and `resolve` and never falls. An event with an old token is refused.
 * - Before `in-flight` no charge is possible. After it no request is sent until the charge is known.
 * - A `completed` attempt keeps the charge until the next `send`. The worker books the charge before this `send`.
 * - A doubt that `resolve` ends on an assumption is listed in `bookedDoubts` until `settleDoubt`.
 * - Answers change independently: `complete` adds one, `keepAnswer` adds a late one, `withAnswers` removes some.
 */
export type Transition<Refusal extends string, Item extends QuestionItem = AttemptedItem> =
  | { readonly kind: 'next'; readonly value: Item }
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly value?: undefined };

export type AttemptedItem = QuestionItem & { readonly attempt: Attempt };
type Known = QuestionItem | undefined;
type Charge = NonNullable<Attempt['charge']>;

export interface SendEvent
  extends Pick<QuestionItem, 'key' | 'operation'>,
    Pick<Attempt, 'fencingToken' | 'purpose' | 'record' | 'rule' | 'options' | 'worstCaseCredits'> {
  readonly reservationId: string;
  readonly sentAtMs: number;
  readonly deadlineAtMs: number;
}

/** Marks the question as in flight. A crash after this leaves a doubt, never a second request. */
export function send(item: Known, event: SendEvent): Transition<Obstacle> {
  const { key, operation, sentAtMs, ...given } = event;
  const reason = obstacle(item?.attempt);
  if (reason) return refused(reason);
  const attempt: Attempt = { ...given, state: 'in-flight', sentAtMs };
  return next({ ...(item ?? { key, operation }), fencingToken: event.fencingToken, attempt });
}

export type Obstacle = 'in-flight' | 'in-doubt';

/** The open attempt that prevents another request, if any. */
export function obstacle(attempt: Attempt | undefined): Obstacle | undefined {
  return attempt && attempt.state !== 'completed' ? attempt.state : undefined;
}

type Held = Pick<Attempt, 'fencingToken'>;

export interface Completion extends Held {
  readonly charge: Charge;
  readonly answer?: StoredAnswer | undefined;
  readonly nowMs: number;
}

/** Stores the proved charge and the answer. If a sweep has declared a doubt, they replace it. */
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

/** Marks the attempt as in doubt: its charge is unknown. */
export function doubt(item: Known, { fencingToken }: Held): Transition<'not-in-flight'> {
  const attempt = item?.attempt;
  if (!item || attempt?.state !== 'in-flight' || attempt.fencingToken !== fencingToken)
    return refused('not-in-flight');
  return next({ ...item, attempt: { ...attempt, state: 'in-doubt' } });
}

interface DoubtEnd {
  /** Limits the event to the attempt of this reservation. */
  readonly reservationId?: string | undefined;
  readonly charged: boolean;
  readonly reason: string;
  readonly nowMs: number;
  /** The policy assumes the charge. The doubt stays listed until a person or a late answer settles it. */
  readonly isAssumed?: boolean | undefined;
}

/** Ends a doubt, because a person knows the charge or the policy assumes it. */
export function resolve(
  item: Known,
  { reservationId: given, charged, reason, nowMs, isAssumed = false }: DoubtEnd,
): Transition<'not-in-doubt' | 'list-full'> {
  const attempt = item?.attempt;
  if (!item || attempt?.state !== 'in-doubt') return refused('not-in-doubt');
  if (given !== undefined && attempt.reservationId !== given) return refused('not-in-doubt');
  const listed = item.bookedDoubts ?? [];
  // If the list is full, the doubt stays open, so that no entry of the list is lost.
  if (isAssumed && listed.length >= MAX_BOOKED_DOUBTS) return refused('list-full');
  const charge = { credits: charged ? attempt.worstCaseCredits : 0, reason };
  const { reservationId, purpose, sentAtMs } = attempt;
  const booked = { reservationId, purpose, credits: charge.credits, sentAtMs, bookedAtMs: nowMs };
  return next({
    ...item,
    fencingToken: nextToken(item, nowMs),
    attempt: { ...attempt, state: 'completed', charge },
    ...(isAssumed && { bookedDoubts: [...listed, booked] }),
  });
}

/** Removes a booked doubt from the list, because a person or a late answer has settled its charge. */
export function settleDoubt(item: Known, reservationId: string): Transition<'not-listed', QuestionItem> {
  const { bookedDoubts = [] } = item ?? {};
  const left = bookedDoubts.filter((booked) => booked.reservationId !== reservationId);
  if (!item || left.length === bookedDoubts.length) return refused('not-listed');
  return next({ ...item, bookedDoubts: left.length > 0 ? left : undefined });
}

/** Keeps an answer that arrived after its doubt was resolved. The attempt has ended, but the answer was paid for. */
export function keepAnswer(
  item: Known,
  { answer, nowMs }: { readonly answer: StoredAnswer; readonly nowMs: number },
): Transition<'no-item', QuestionItem> {
  return item ? next({ ...item, ...withAnswer(item, answer, nowMs) }) : refused('no-item');
}

/** Returns the item with fewer or smaller answers. The attempt stays, because the ledger may still need it. */
export function withAnswers(item: QuestionItem, [answer, ...older]: readonly StoredAnswer[]): QuestionItem {
  return { ...item, answer, olderAnswers: older.length > 0 ? older : undefined };
}

/** Returns the next fencing token. It is at least the time, so that it also rises after the item was deleted. */
export function nextToken(item: Known, nowMs: number): number {
  return Math.max((item?.fencingToken ?? 0) + 1, nowMs);
}

/** `<question key>:<fencing token>:<nonce>`. The nonce separates attempts that start at the same moment. */
export function reservationIdOf(key: string, fencingToken: number, nonce: string): string {
  return `${key}:${fencingToken}:${nonce}`;
}

export function nonceOf(reservationId: string): string {
  return reservationId.split(':')[2] ?? '';
}

function next<Item extends QuestionItem>(value: Item): { readonly kind: 'next'; readonly value: Item } {
  return { kind: 'next', value };
}

function refused<Refusal extends string>(reason: Refusal) {
  return { kind: 'refused', reason } as const;
}
