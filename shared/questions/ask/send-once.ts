import { SECOND_MS } from '#shared/kernel';
import { type Known, type Replaced, replacing } from '#shared/store';
import type { CallResult } from '#shared/vendor';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../question.ts';
import type { QuestionItem } from '../schemas.ts';
import { questionKind } from '../stored-kinds.ts';
import { type AttemptedItem, type SendEvent, send } from '../transitions.ts';
import type { Reserved } from './reserve.ts';

/**
 * Longest pause of a worker between the write of `in-flight` and the request, or between the slot and the request.
 * After a longer pause no request is sent, because the slot would end before the request. Both clocks are read, because
 * the monotonic clock may stop while a laptop sleeps.
 */
export const STALLED_MS = 5 * SECOND_MS;

/** A question that was marked as in flight, with the result of its request. */
export interface Sent {
  readonly kind: 'sent';
  readonly request: KeyedRequest;
  /** The item with the attempt in flight. */
  readonly item: AttemptedItem;
  /** The version that the next write requires. */
  readonly written: Replaced;
  /** Slot of the rate limiter. */
  readonly slotId: string;
  readonly result: CallResult;
}

/** A slot of the rate limiter; `takenAtMs` in epoch milliseconds. */
export interface TakenSlot {
  readonly id: string;
  readonly takenAtMs: number;
}

interface Ready {
  /** The item as the worker read it. The write requires its version. */
  readonly stored: Known<QuestionItem> | undefined;
  readonly reserved: Reserved;
  readonly slot: TakenSlot;
}

/**
 * Step 4: marks the question as in flight, if its item has not changed since it was read, then sends the request. This
 * write is the lock. A crash after this write leaves a doubt, never a second request.
 * @returns `undefined` if another worker was faster. Then no request was sent.
 */
export async function sendOnce(
  services: GatewayServices,
  request: KeyedRequest,
  { stored, reserved, slot }: Ready,
): Promise<Sent | undefined> {
  const { clock, policy, items } = services;
  const markedAt = clock.monotonic();
  const sentAtMs = clock.now();
  const inFlight = send(stored?.value, sendEvent(services, request, { reserved, sentAtMs }));
  if (inFlight.kind === 'refused') return undefined;
  const key = questionKind.key(request.key);
  const { value: item } = inFlight;
  const sent = { kind: 'sent', request, item, slotId: slot.id } as const;
  let written: Known<QuestionItem> | 'conflict';
  try {
    written = await items.write({ key, value: item, ...replacing(stored) });
    if (written === 'conflict') return undefined;
  } catch (error) {
    // No request was sent. If the write was stored in spite of its error, the attempt ends as "not sent" instead of "in
    // doubt".
    const kept = await items.read(key);
    if (kept?.value.attempt?.reservationId !== reserved.reservationId) throw error;
    return { ...sent, written: replacing(kept), result: { kind: 'not-sent', reason: 'store-failed' } };
  }
  const stalledMs = Math.max(clock.monotonic() - markedAt, Math.abs(clock.now() - slot.takenAtMs));
  const isStalled = stalledMs > STALLED_MS;
  const result: CallResult = isStalled
    ? { kind: 'not-sent', reason: 'stalled-before-sending' }
    : await services.vendor.ask(request.question, { timeoutMs: policy.requestTimeoutMs });
  return { ...sent, written: replacing(written), result };
}

function sendEvent(
  { policy }: GatewayServices,
  { key, purpose, question, record, rule }: KeyedRequest,
  { reserved, sentAtMs }: { reserved: Reserved; sentAtMs: number },
): SendEvent {
  const { operation, options } = question;
  const { fencingToken, reservationId, entry } = reserved;
  const deadlineAtMs = sentAtMs + STALLED_MS + policy.requestTimeoutMs;
  const worstCaseCredits = priceOfQuestion(question);
  const asked = { key, operation, options, purpose, worstCaseCredits };
  const origin = {
    ...(record !== undefined && { record }),
    ...(rule !== undefined && { rule }),
  };
  return { ...asked, ...origin, fencingToken, reservationId, entry, sentAtMs, deadlineAtMs };
}
