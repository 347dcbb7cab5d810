import type { LedgerEntry } from '#shared/credit-ledger';
import { type Known, put, type Replaced, replacing } from '#shared/store';
import type { CallResult } from '#shared/vendor';
import type { AskResult, Joined } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../question.ts';
import type { QuestionItem } from '../schemas.ts';
import { questionKind } from '../stored-kinds.ts';
import { type AttemptedItem, nextToken, reservationIdOf, type SendEvent, send } from '../transitions.ts';
import { refusalResult, reservation } from './reserve.ts';
import { STALLED_MS, type TakenSlot, timeShort } from './slot.ts';

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

interface Ready {
  /** The item as the worker read it. The mark requires its version. */
  readonly stored: Known<QuestionItem> | undefined;
  readonly slot: TakenSlot;
}

/**
 * Steps 3 and 4: reserves the worst-case credits and marks the question as in flight, in one transaction with the
 * caller's writes. Then sends the request. The transaction is the lock. A crash after it leaves a doubt, never a second
 * request. If a budget is too small, the result names the budget and the time when it opens.
 * @returns `again` if another writer was first. Then no request was sent.
 */
export async function sendOnce(
  services: GatewayServices,
  request: KeyedRequest,
  { stored, slot }: Ready,
): Promise<Sent | AskResult | { kind: 'again' }> {
  const { clock, policy, items, ledger } = services;
  const fencingToken = nextToken(stored?.value, clock.now());
  const reservationId = reservationIdOf(request.key, fencingToken, services.newNonce());
  const joined = await join(request, reservationId);
  if (joined === 'unwanted') return { kind: 'withdrawn' };
  if (joined === 'claim-lost') return timeShort(services);
  const markedAt = clock.monotonic();
  const sentAtMs = clock.now();
  const place = items.place(questionKind.key(request.key));
  const marked = send(stored?.value, sendEvent(services, request, { fencingToken, reservationId, sentAtMs }));
  if (marked.kind === 'refused') return { kind: 'again' };
  let item = marked.value;
  const mark = ({ seq, hash }: LedgerEntry) => {
    item = { ...item, attempt: { ...item.attempt, entry: { seq, hash } } };
    return [put(place, item, stored), ...joined.writes];
  };
  let version: string | undefined;
  try {
    const appended = await ledger.apply(reservation(request, reservationId), mark);
    const refused = refusalResult(appended, clock.now());
    if (refused) return refused;
    if (appended.kind !== 'appended') return { kind: 'again' };
    version = appended.version;
  } catch (error) {
    // No request was sent. If the transaction was stored in spite of its error, the attempt ends as "not sent" instead
    // of "in doubt".
    const kept = await items.read(questionKind.key(request.key));
    if (kept?.value.attempt?.reservationId !== reservationId) throw error;
    const result = { kind: 'not-sent', reason: 'store-failed' } as const;
    return { kind: 'sent', request, item, slotId: slot.id, written: replacing(kept), result };
  } finally {
    joined.ended?.(version);
  }
  const stalledMs = Math.max(clock.monotonic() - markedAt, Math.abs(clock.now() - slot.takenAtMs));
  const isStalled = stalledMs > STALLED_MS;
  const result: CallResult = isStalled
    ? { kind: 'not-sent', reason: 'stalled-before-sending' }
    : await services.vendor.ask(request.question, { timeoutMs: policy.requestTimeoutMs });
  const written = replacing({ value: item, version, ...(stored?.unknown && { unknown: stored.unknown }) });
  return { kind: 'sent', request, item, slotId: slot.id, written, result };
}

const NOTHING: Joined = { writes: [] };

async function join({ join, key: questionKey, question }: KeyedRequest, reservationId: string) {
  return (await join?.({ questionKey, reservationId, credits: priceOfQuestion(question) })) ?? NOTHING;
}

function sendEvent(
  { policy }: GatewayServices,
  { key, purpose, question, record, rule }: KeyedRequest,
  { sentAtMs, ...attempt }: Pick<SendEvent, 'fencingToken' | 'reservationId' | 'sentAtMs'>,
): SendEvent {
  const { operation, options } = question;
  const deadlineAtMs = sentAtMs + STALLED_MS + policy.requestTimeoutMs;
  const worstCaseCredits = priceOfQuestion(question);
  const asked = { key, operation, options, purpose, worstCaseCredits };
  const origin = {
    ...(record !== undefined && { record }),
    ...(rule !== undefined && { rule }),
  };
  return { ...asked, ...origin, ...attempt, sentAtMs, deadlineAtMs };
}
