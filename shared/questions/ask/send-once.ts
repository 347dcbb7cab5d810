import { laneOf } from '#shared/crm';
import { type Replaced, replacing } from '#shared/store';
import type { CallResult } from '#shared/vendor';
import type { AskResult, LookedAt } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../question.ts';
import { questionKind } from '../stored-kinds.ts';
import { type AttemptedItem, nextToken, reservationIdOf, send } from '../transitions.ts';
import { refusalResult, reservation } from './reserve.ts';
import { STALLED_MS, type TakenSlot, timeShort, timeToAnswerMs } from './slot.ts';

type Stored = LookedAt['stored'];

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

interface Marked {
  readonly kind: 'marked';
  readonly item: AttemptedItem;
  readonly written: Replaced;
  readonly slot: TakenSlot;
}

/** `no-slot`: the vendor's rate is used up at this moment. `again`: another writer was first. Nothing was stored. */
type NotMarked = AskResult | { readonly kind: 'again' } | { readonly kind: 'no-slot' };

interface Ready {
  /** The item as the worker read it. */
  readonly stored: Stored;
  /** A slot that the worker has waited for. If it is absent, a free one is taken together with the mark. */
  readonly slot: TakenSlot | undefined;
  /** Identifies the probe of a breaker, if the question is one. */
  readonly turnMs: number | undefined;
}

/**
 * Slot, reservation of the worst-case credits, the mark as in flight and the caller's writes are one transaction. Then
 * the request is sent. The transaction is the lock: a crash after it leaves a doubt, never a second request. It fails if
 * meanwhile a person is forgotten or a breaker opens. If a budget is too small, the result names the budget and the time
 * when it opens.
 */
export async function sendOnce(
  services: GatewayServices,
  request: KeyedRequest,
  ready: Ready,
): Promise<Sent | NotMarked> {
  const { clock, policy } = services;
  if ((await request.isWanted?.()) === false) return { kind: 'withdrawn' };
  const markedAt = clock.monotonic();
  const marked = await mark(services, request, ready);
  if (marked.kind !== 'marked') return marked;
  const { item, written, slot } = marked;
  const stalledMs = Math.max(clock.monotonic() - markedAt, Math.abs(clock.now() - slot.takenAtMs));
  const result: CallResult =
    stalledMs > STALLED_MS
      ? { kind: 'not-sent', reason: 'stalled-before-sending' }
      : await services.vendor.ask(request.question, { timeoutMs: policy.requestTimeoutMs });
  return { kind: 'sent', request, item, slotId: slot.id, written, result };
}

async function mark(
  services: GatewayServices,
  request: KeyedRequest,
  { stored: seen, slot: given, turnMs }: Ready,
): Promise<Marked | NotMarked> {
  const { breakers, clock, items, ledger, policy, rateLimiter, suppressionList, together } = services;
  const { key, question } = request;
  // One ask keeps its ids, so that it knows its own mark again if the answer to its transaction was lost.
  const fencingToken = nextToken(seen?.value, clock.now());
  const nonce = services.newNonce();
  const reservationId = reservationIdOf(key, fencingToken, nonce);
  const slotId = given?.id ?? services.newNonce();
  const sentAtMs = clock.now();
  const ownMark = (stored: Stored): Marked | undefined => {
    const attempt = stored?.value.attempt;
    if (!stored || attempt?.reservationId !== reservationId) return undefined;
    const item = { ...stored.value, attempt };
    const slot = given ?? { id: slotId, takenAtMs: attempt.sentAtMs };
    return { kind: 'marked', item, written: replacing(stored), slot };
  };
  let slotStored: (() => void) | undefined;
  const decide = async (drop: () => void): Promise<Marked | NotMarked> => {
    const refuse = <R extends NotMarked>(refusal: R): R => {
      drop();
      return refusal;
    };
    const stored = await items.read(questionKind.key(key));
    const own = ownMark(stored);
    if (own) return own;
    if (stored?.version !== seen?.version) return refuse({ kind: 'again' });
    const [forgotten] = await suppressionList.hold([key]);
    if (forgotten) return refuse({ kind: 'forgotten', questionKey: key, credits: 0 });
    if (!(await breakers.hold(priceOfQuestion(question), turnMs))) return refuse({ kind: 'again' });
    const appended = await ledger.apply(reservation(request, reservationId));
    const refused = refusalResult(appended, clock.now());
    if (refused) return refuse(refused);
    if (appended.kind !== 'appended') return refuse({ kind: 'again' });
    const free =
      given ??
      (await rateLimiter.takeFree({
        id: slotId,
        lane: laneOf(request.purpose),
        requestTimeoutMs: timeToAnswerMs(policy),
      }));
    if (!free) return refuse({ kind: 'no-slot' });
    slotStored = 'stored' in free ? free.stored : undefined;
    const joined = await request.join?.({
      questionKey: key,
      reservationId,
      credits: priceOfQuestion(question),
    });
    if (joined === 'unwanted') return refuse({ kind: 'withdrawn' });
    if (joined === 'claim-lost') return refuse(timeShort(services));
    const { operation, options } = question;
    const { seq, hash } = appended.entry;
    const marked = send(stored?.value, {
      ...{ key, operation, options, purpose: request.purpose, fencingToken, reservationId, sentAtMs },
      worstCaseCredits: priceOfQuestion(question),
      deadlineAtMs: sentAtMs + STALLED_MS + policy.requestTimeoutMs,
      ...(request.record !== undefined && { record: request.record }),
      ...(request.rule !== undefined && { rule: request.rule }),
    });
    if (marked.kind === 'refused') return refuse({ kind: 'again' });
    const value = { ...marked.value, attempt: { ...marked.value.attempt, entry: { seq, hash } } };
    const written = await items.write({ key: questionKind.key(key), value, ...replacing(stored) });
    if (written === 'conflict') return refuse({ kind: 'again' });
    const slot = given ?? { id: slotId, takenAtMs: free.takenAtMs };
    return { kind: 'marked', item: value, written: replacing(written), slot };
  };
  try {
    const decided = await together(decide);
    if (decided.kind === 'marked') slotStored?.();
    return decided;
  } catch (error) {
    // If the transaction was stored in spite of its error, nothing was sent yet, and the ask goes on with its mark.
    const own = ownMark(await items.read(questionKind.key(key)));
    if (!own) throw error;
    return own;
  }
}
