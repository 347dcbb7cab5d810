import { SECOND_MS } from '#shared/kernel';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../question.ts';
import { questionKind } from '../stored-kinds.ts';
import { finishAttempt } from './book.ts';
import { clockWrong } from './clock-wrong.ts';
import { recordOutcome } from './outcome.ts';
import { passBreakers, type Reserved, refusedBeforehand, reserveCredits } from './reserve.ts';
import { type Sent, sendOnce, type TakenSlot } from './send-once.ts';
import { timeShort, timeToAnswerMs, waitForSlot } from './slot.ts';

/** The question as it is sent, where that is known only once its credits are set aside; nothing where nothing is left to ask. */
export type FixList = (reserved: Reserved) => Promise<KeyedRequest | undefined>;

export type Stored = Awaited<ReturnType<GatewayServices['items']['read']>>;

/**
 * Slot, reserve, send, outcome, in this order: after a crash at any step, the stored items show how far it came. A request
 * that waits for a slot holds no lock. Before `in-flight` nothing can have been charged. After it nothing is sent again.
 */
export async function askNow(
  services: GatewayServices,
  request: KeyedRequest,
  stored: Stored,
  fixList?: FixList,
): Promise<AskResult | { kind: 'again' }> {
  const { leftCredits } = request.priceLimit ?? {};
  if (leftCredits !== undefined && priceOfQuestion(request.question) > leftCredits)
    return { kind: 'too-dear', questionKey: request.key };
  const wrong = clockWrong(services);
  if (wrong) return wrong;
  if (services.clock.now() > request.notAfterMs - timeToAnswerMs(services.policy)) return timeShort(services);
  const [forgotten, refused] = await Promise.all([
    forgottenPerson(services, request),
    refusedBeforehand(services, request),
  ]);
  const answer = forgotten ?? refused;
  if (answer) return answer;
  const passed = await passBreakers(services, request);
  if (passed.kind !== 'passed') return passed;
  const sent = await askPassed(services, request, { stored, fixList, turnMs: passed.turnMs });
  if (sent.kind === 'sent') return recordOutcome(services, sent);
  if (passed.turnMs !== undefined) await services.breakers.giveBack(passed.turnMs);
  return sent;
}

interface PassedRequest {
  readonly stored: Stored;
  readonly fixList: FixList | undefined;
  /** Of a probe. */
  readonly turnMs: number | undefined;
}

async function askPassed(
  services: GatewayServices,
  request: KeyedRequest,
  passed: PassedRequest,
): Promise<Sent | AskResult | { kind: 'again' }> {
  const begunAtMs = services.clock.now();
  const slot = await waitForSlot(services, request);
  if (slot.kind !== 'slot') return slot;
  const hasWaited = services.clock.now() - begunAtMs > SECOND_MS;
  const sent = await askInSlot(services, request, { ...passed, hasWaited, slot });
  if (sent.kind !== 'sent') await services.rateLimiter.release(slot.id);
  return sent;
}

interface InSlot extends PassedRequest {
  readonly hasWaited: boolean;
  readonly slot: TakenSlot;
}

/** Anything but `sent` leaves nothing behind but the slot. */
async function askInSlot(
  services: GatewayServices,
  request: KeyedRequest,
  { stored, hasWaited, turnMs, slot, fixList }: InSlot,
): Promise<Sent | AskResult | { kind: 'again' }> {
  if (hasWaited) {
    const now = await services.items.read(questionKind.key(request.key));
    if (now?.version !== stored?.version) return { kind: 'again' };
    const forgotten = await forgottenPerson(services, request);
    if (forgotten) return forgotten;
    // Others may have learned meanwhile that nothing comes of asking.
    const passed = await passBreakers(services, request, turnMs);
    if (passed.kind !== 'passed') return passed;
  }
  // The attempt before it is never forgotten: a charge that may not have been booked is booked first.
  if (stored?.value.attempt) await finishAttempt(services, stored.value);
  const reserved = await reserveCredits(services, request, stored?.value);
  if (reserved.kind !== 'reserved') return reserved;
  const { reservationId } = reserved;
  const isWanted = (await request.isWanted?.()) ?? true;
  const isCommitted = isWanted && (await commit(request, reservationId));
  const fixed = fixList && isCommitted ? await fixList(reserved) : request;
  const sent = isCommitted && fixed && (await sendOnce(services, fixed, { stored, reserved, slot }));
  if (sent) return sent;
  await services.ledger.apply({ kind: 'void', reservationId, reason: isWanted ? 'overtaken' : 'withdrawn' });
  if (!isWanted) return { kind: 'withdrawn' };
  return isCommitted ? { kind: 'again' } : timeShort(services);
}

/** The reservation exists by now, so the commitment can name it; nothing has been sent. */
async function commit(
  { key: questionKey, question, priceLimit }: KeyedRequest,
  reservationId: string,
): Promise<boolean> {
  const credits = priceOfQuestion(question);
  return (await priceLimit?.commit?.({ questionKey, reservationId, credits })) ?? true;
}

/** No question is sent for a forgotten person; a stored answer holds nothing of them. */
async function forgottenPerson(
  { suppressionList }: GatewayServices,
  { key }: KeyedRequest,
): Promise<AskResult | undefined> {
  const [forgotten] = await suppressionList.among([key]);
  return forgotten ? { kind: 'forgotten', questionKey: key, credits: 0 } : undefined;
}
