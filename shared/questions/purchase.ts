import {
  type Appended,
  budgetParts,
  type Decision,
  type LedgerCommand,
  type NewReservation,
  refusalSentence,
} from '#shared/credit-ledger';
import { laneOf } from '#shared/crm';
import { assert, MINUTE_MS, SECOND_MS, unreachable } from '#shared/kernel';
import { change, type Replaced, replacing } from '#shared/store';
import type { CallResult } from '#shared/vendor';
import { LONGEST_WAIT_MS, type Passage, passage, personsStopSentence, STOP_SENTENCES } from './breakers.ts';
import {
  type AnswerAndRecord,
  discloseDoubt,
  type FinishServices,
  finishAnswer,
  finishStoredAnswer,
} from './finish-answer.ts';
import type {
  AskRequest,
  AskResult,
  Commitment,
  GatewayPolicy,
  GatewayServices,
  KeyedRequest,
  LookedAt,
} from './gateway-services.ts';
import { isSearch, LOOKUPS, priceOfAnswer, priceOfMiss, priceOfQuestion, questionKey } from './question.ts';
import type { Attempt, QuestionItem } from './schemas.ts';
import { foundAnswer, missedAnswer, packAnswer } from './stored-answers.ts';
import { questionKind } from './stored-kinds.ts';
import {
  type AttemptedItem,
  complete,
  doubt,
  keepAnswer,
  nextToken,
  obstacle,
  reservationIdOf,
  send,
  settleDoubt,
} from './transitions.ts';

/**
 * Longest pause of a worker between the mark and the request, or between the slot and the request. After a longer pause
 * no request is sent, because the slot would end before the request. Both clocks are read, because the monotonic clock
 * may stop while a laptop sleeps.
 */
const STALLED_MS = 5 * SECOND_MS;

/** A slot of the rate limiter; `takenAtMs` in epoch milliseconds. */
export interface TakenSlot {
  readonly id: string;
  readonly takenAtMs: number;
}

/**
 * Waits for a slot of the vendor's rate. During the wait, no question is locked and no credits are reserved.
 */
export async function waitForSlot(
  services: GatewayServices,
  request: KeyedRequest,
): Promise<({ readonly kind: 'slot' } & TakenSlot) | AskResult> {
  const { clock, rateLimiter, policy } = services;
  const requestTimeoutMs = timeToAnswerMs(policy);
  const { slotPatienceMs = Number.POSITIVE_INFINITY } = request;
  const notAfterMs = Math.min(request.notAfterMs - requestTimeoutMs, clock.now() + slotPatienceMs);
  if (clock.now() > notAfterMs) return timeShort(services);
  const lane = laneOf(request.purpose);
  const { signal } = request;
  const id = services.newNonce();
  try {
    const slot = await rateLimiter.acquire({ id, lane, requestTimeoutMs, notAfterMs, signal });
    return slot.kind === 'granted' ? { kind: 'slot', id, takenAtMs: slot.takenAtMs } : waitForRate(slot.atMs);
  } catch (error) {
    if (!signal?.aborted) throw error;
    await rateLimiter.release(id);
    return timeShort(services);
  }
}

/** Longest time from a slot to the answer: the longest pause before the request, plus the request's timeout. */
export function timeToAnswerMs({ requestTimeoutMs }: Pick<GatewayPolicy, 'requestTimeoutMs'>): number {
  return STALLED_MS + requestTimeoutMs;
}

function waitForRate(untilMs: number): AskResult {
  const detail = 'The rate limit of the data service is used up.';
  return { kind: 'waiting', reason: 'rate-limit', untilMs, detail };
}

export function timeShort({ clock }: Pick<GatewayServices, 'clock'>): AskResult & { kind: 'waiting' } {
  const detail = 'The function ran out of time before the request was sent.';
  return { kind: 'waiting', reason: 'time-short', untilMs: clock.now() + SECOND_MS, detail };
}

export function doubtResult(questionKey: string): Extract<AskResult, { kind: 'doubt' }> {
  const detail = 'A request for this was sent, and its outcome is unknown. It may have been charged.';
  return { kind: 'doubt', questionKey, detail };
}

type Waiting = Extract<AskResult, { kind: 'waiting' }>;

/** What the budgets would refuse now. Writes nothing. */
async function refusedBeforehand(
  { ledger, clock }: Pick<GatewayServices, 'ledger' | 'clock'>,
  request: KeyedRequest,
): Promise<Waiting | undefined> {
  return refusalResult(await ledger.preview(reservation(request, '')), clock.now());
}

export function refusedByBreaker({
  reason,
  untilMs,
  stopped,
}: Extract<Passage, { kind: 'refused' }>): Waiting {
  const detail = stopped ? personsStopSentence(stopped) : STOP_SENTENCES[reason];
  return { kind: 'waiting', reason, untilMs, detail };
}

function reservation(
  request: KeyedRequest,
  reservationId: string,
): Extract<LedgerCommand, { kind: 'reserve' }> {
  return {
    kind: 'reserve',
    reservationId,
    ...ledgerFactsOf(request),
    overrulesReserve: request.overrulesReserve,
    amountCredits: priceOfQuestion(request.question),
  };
}

/** Translates a refusal of the ledger. @returns `undefined` if the ledger did not refuse. */
function refusalResult(answer: Appended | Decision, nowMs: number): Waiting | undefined {
  if (answer.kind === 'over-budget') {
    const detail = refusalSentence(answer.budget);
    const {
      opensAtMs: untilMs,
      budget,
      neededCredits,
      limitCredits,
      leftCredits,
      keptCredits = 0,
    } = answer.budget;
    const params = { budget, neededCredits, limitCredits, leftCredits, keptCredits };
    const isAboveLimit = neededCredits > limitCredits && ({ isAboveLimit: true } as const);
    const isPersonsOwn = budgetParts(answer.budget).scope === 'person' && ({ isPersonsOwn: true } as const);
    return { kind: 'waiting', reason: 'budget', untilMs, detail, params, ...isAboveLimit, ...isPersonsOwn };
  }
  if (answer.kind === 'too-many-open') {
    const detail = 'Too many requests are in flight or in doubt.';
    return { kind: 'waiting', reason: 'too-many-open', untilMs: nowMs + 5 * MINUTE_MS, detail };
  }
  return undefined;
}

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
export async function markAndSend(
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
  const decide = async (): Promise<Marked | NotMarked> => {
    const stored = await items.read(questionKind.key(key));
    const own = ownMark(stored);
    if (own) return own;
    if (stored?.version !== seen?.version) return { kind: 'again' };
    const [forgotten] = await suppressionList.amongChecked([key]);
    if (forgotten) return { kind: 'forgotten', questionKey: key, credits: 0 };
    if (!(await breakers.mayStillPass(priceOfQuestion(question), turnMs))) return { kind: 'again' };
    const appended = await ledger.apply(reservation(request, reservationId));
    const refused = refusalResult(appended, clock.now());
    if (refused) return refused;
    if (appended.kind !== 'appended') return { kind: 'again' };
    const free =
      given ??
      (await rateLimiter.takeFree({
        id: slotId,
        lane: laneOf(request.purpose),
        requestTimeoutMs: timeToAnswerMs(policy),
      }));
    if (!free) return { kind: 'no-slot' };
    slotStored = 'stored' in free ? free.stored : undefined;
    const joined = await request.join?.({
      questionKey: key,
      reservationId,
      credits: priceOfQuestion(question),
    });
    if (joined === 'unwanted') return { kind: 'withdrawn' };
    if (joined === 'claim-lost') return timeShort(services);
    const { operation, options } = question;
    const { seq, hash } = appended.entry;
    const marked = send(stored?.value, {
      key,
      operation,
      options,
      purpose: request.purpose,
      fencingToken,
      reservationId,
      sentAtMs,
      worstCaseCredits: priceOfQuestion(question),
      deadlineAtMs: sentAtMs + STALLED_MS + policy.requestTimeoutMs,
      ...(request.record !== undefined && { record: request.record }),
      ...(request.rule !== undefined && { rule: request.rule }),
    });
    if (marked.kind === 'refused') return { kind: 'again' };
    const value = { ...marked.value, attempt: { ...marked.value.attempt, entry: { seq, hash } } };
    const written = await items.write({ key: questionKind.key(key), value, ...replacing(stored) });
    if (written === 'conflict') return { kind: 'again' };
    const slot = given ?? { id: slotId, takenAtMs: free.takenAtMs };
    return { kind: 'marked', item: value, written: replacing(written), slot };
  };
  try {
    const decided = await together(async (drop) => {
      const result = await decide();
      if (result.kind !== 'marked') drop();
      return result;
    });
    if (decided.kind === 'marked') slotStored?.();
    return decided;
  } catch (error) {
    // If the transaction was stored in spite of its error, nothing was sent yet, and the ask goes on with its mark.
    const own = ownMark(await items.read(questionKind.key(key)));
    if (!own) throw error;
    return own;
  }
}

/** Proved facts after a request. The charge is absent if it is unknown. */
interface AttemptOutcome {
  readonly charge?: NonNullable<Attempt['charge']>;
  readonly stored?: AnswerAndRecord;
}

/**
 * Stores charge and answer on the question's item in one write of its own, which has no neighbour to conflict with. Then
 * one transaction has the index of people, the disclosure, the entry of the ledger and the caller's writes. After a crash
 * between the two, the reservation is still open. So the next worker or the sweep books from the item.
 */
export async function recordOutcome(
  services: GatewayServices,
  sent: Sent,
): Promise<AskResult | { kind: 'again' }> {
  const { request } = sent;
  const { reservationId, sentAtMs } = sent.item.attempt;
  const outcome = outcomeOf(services, request, sent);
  const { record } = outcome.stored ?? {};
  // What the booking decides on is read meanwhile, in one request. A read that fails is done again by the booking.
  const readAhead = Promise.allSettled([
    services.ledger.newest(),
    services.suppressionList.among([request.key]),
    record && request.answered?.(record),
  ]);
  await untilStored(services, () => writeOutcome(services, request, { sent, outcome }));
  await readAhead;
  await accountForSlot(services, sent);
  const { stored } = outcome;
  const result = await services.together(async () => {
    if (outcome.charge === undefined) await discloseDoubt(services, sent.item);
    const finished = stored && (await finishAnswer(services, sent.item, stored));
    await bookOutcome(services, { reservationId, charge: outcome.charge });
    const result = resultOf(services, request, { stored: finished, sent });
    if (finished && result.kind !== 'again') await request.booked?.(result);
    return result;
  });
  await services.breakers.learn({
    result: sent.result,
    priceCredits: priceOfQuestion(request.question),
    chargedCredits: outcome.charge?.credits ?? 0,
    sentAtMs,
  });
  return result;
}

function outcomeOf(services: GatewayServices, request: KeyedRequest, { item, result }: Sent): AttemptOutcome {
  switch (result.kind) {
    case 'found': {
      const { emptySearchCost } = services.policy;
      const priced = result.results === 0 && emptySearchCost === 'base' ? 1 : result.results;
      const credits = priceOfAnswer(request.question, priced);
      const { operation, options } = request.question;
      const askedAtMs = item.attempt.sentAtMs;
      const expiresAtMs =
        askedAtMs +
        services.policy.freshnessMs[isSearch(request.question) ? 'search' : LOOKUPS[operation].about];
      const { record, requestId } = result;
      const packed = packAnswer(services, { operation, record });
      const answer = foundAnswer({ options, askedAtMs, expiresAtMs, credits, requestId }, packed);
      return { charge: { credits, reason: 'match' }, stored: { answer, record } };
    }
    case 'no-match': {
      const credits = priceOfMiss(request.question, services.policy.noMatchCost);
      return { charge: { credits, reason: 'no-match' }, stored: missed(services, item, credits) };
    }
    case 'declined':
      return { charge: { credits: 0, reason: result.why } };
    case 'invalid':
    case 'not-sent':
      return { charge: { credits: 0, reason: result.kind } };
    case 'unknown':
      return {};
    default:
      return unreachable(result);
  }
}

function missed({ policy }: GatewayServices, item: AttemptedItem, credits: number): AnswerAndRecord {
  const misses = (item.answer?.misses ?? 0) + 1;
  const { noMatchRetryMs } = policy;
  const freshMs = noMatchRetryMs[Math.min(misses, noMatchRetryMs.length) - 1];
  assert(freshMs !== undefined, 'the policy sets how long a miss stays fresh');
  const { options, sentAtMs: askedAtMs } = item.attempt;
  return { answer: missedAnswer({ options, askedAtMs, expiresAtMs: askedAtMs + freshMs, credits }, misses) };
}

/** How long a failed write is retried, so that a known charge does not become a doubt. */
const STORE_PATIENCE_MS = 10 * SECOND_MS;

/**
 * Repeats a failed write. If a write was stored in spite of its error, the repeat finds the outcome and changes
 * nothing.
 */
async function untilStored({ clock }: GatewayServices, write: () => Promise<void>): Promise<void> {
  const untilMs = clock.now() + STORE_PATIENCE_MS;
  for (let waitMs = 100; ; waitMs *= 2) {
    try {
      return await write();
    } catch (error) {
      if (clock.now() + waitMs > untilMs) throw error;
      await clock.sleep(waitMs);
    }
  }
}

/**
 * Writes the outcome, normally in one conditional write. If a sweep has marked the attempt as in doubt, the proved charge
 * replaces the doubt. If the doubt is already resolved, the item has no place for the charge. Then the charge is booked
 * in the ledger, and the answer is stored.
 */
async function writeOutcome(
  services: GatewayServices,
  request: KeyedRequest,
  { sent, outcome: { charge, stored } }: { readonly sent: Sent; readonly outcome: AttemptOutcome },
): Promise<void> {
  const { items, clock } = services;
  const { fencingToken, reservationId } = sent.item.attempt;
  const target = { key: questionKind.key(request.key), kind: 'question', clock };
  const answer = stored?.answer;
  const applyOutcome = (item: QuestionItem | undefined) =>
    charge
      ? complete(item, { fencingToken, charge, answer, nowMs: clock.now() })
      : doubt(item, { fencingToken });
  const ended = applyOutcome(sent.item);
  if (ended.kind === 'next') {
    const { key } = target;
    if ((await items.write({ key, value: ended.value, ...sent.written })) !== 'conflict') return;
  }
  const { kind } = await change(items, target, applyOutcome);
  if (kind === 'next' || !charge) return;
  await bookLateOutcome(services, request, { reservationId, charge });
  await change(items, target, (item) => settleDoubt(item, reservationId));
  if (answer) await change(items, target, (item) => keepAnswer(item, { answer, nowMs: clock.now() }));
}

async function accountForSlot(services: GatewayServices, { slotId: id, result }: Sent): Promise<void> {
  if (result.kind === 'not-sent' || result.kind === 'invalid') return services.rateLimiter.release(id);
  // Without an answer, the slot stays taken until a minute after the request's deadline.
  if (result.kind === 'unknown') return;
  const { report } = result;
  const limited = result.kind === 'declined' && result.why === 'rate-limited';
  const retryAfterMs = result.kind === 'declined' ? result.retryAfterMs : undefined;
  await services.rateLimiter.complete({ id, report, limited, retryAfterMs });
}

function resultOf(
  services: GatewayServices,
  { key }: KeyedRequest,
  { stored, sent: { result } }: { stored: AnswerAndRecord | undefined; sent: Sent },
): AskResult | { kind: 'again' } {
  if (stored) return answerResult(key, stored);
  if (result.kind === 'not-sent') return waiting(services, 'service-unreachable', MINUTE_MS, result.reason);
  if (result.kind === 'invalid') return { kind: 'rejected', questionKey: key, detail: result.reason };
  if (result.kind !== 'declined') return doubtResult(key);
  switch (result.why) {
    case 'rate-limited':
      return { kind: 'again' };
    case 'bad-request':
      return { kind: 'rejected', questionKey: key, detail: result.reason };
    case 'key-refused':
    case 'wrong-address':
    case 'out-of-credits':
      return waiting(services, result.why, LONGEST_WAIT_MS, STOP_SENTENCES[result.why]);
    default:
      return unreachable(result.why);
  }
}

function answerResult(questionKey: string, { answer, record }: AnswerAndRecord): AskResult {
  const { credits, askedAtMs, expiresAtMs, isCut } = answer;
  if (answer.kind === 'forgotten') return { kind: 'forgotten', questionKey, credits };
  const answered = { questionKey, askedAtMs, expiresAtMs, credits };
  return record ? { kind: 'found', record, isCut, ...answered } : { kind: 'no-match', ...answered };
}

function waiting(services: GatewayServices, reason: Waiting['reason'], ms: number, detail: string): Waiting {
  return { kind: 'waiting', reason, untilMs: services.clock.now() + ms, detail };
}

type Charge = NonNullable<Attempt['charge']>;

type BookServices = FinishServices & Pick<GatewayServices, 'ledger'>;

/** An attempt as it is booked. */
type Booked = Pick<Attempt, 'reservationId'>;

/**
 * Books the end of an attempt as its item shows it: posted, voided if nothing was charged, or in doubt if the charge is
 * unknown. Any process can repeat this safely: a reservation that is no longer open is already booked.
 */
export async function bookOutcome(
  services: Pick<GatewayServices, 'ledger'>,
  { reservationId, charge }: Booked & Pick<Attempt, 'charge'>,
): Promise<void> {
  if (charge) await close(services, { reservationId }, charge);
  else await services.ledger.apply({ kind: 'doubt', reservationId, reason: 'no-answer' });
}

/**
 * Finishes and books an attempt whose worker may have ended. While the reservation is open, the steps after the answer
 * may be missing. So they run first.
 */
export async function finishAttempt(services: BookServices, item: QuestionItem): Promise<void> {
  const { attempt } = item;
  if (!attempt) return;
  const open = await services.ledger.openReservations();
  if (!open.some(({ id }) => id === attempt.reservationId)) return;
  await finishAndBook(services, item, attempt);
}

/** The steps after an answer that may be missing, and the entry of the ledger, in one transaction. */
export function finishAndBook(services: BookServices, item: QuestionItem, attempt: Attempt): Promise<void> {
  return services.together(async () => {
    await finishStoredAnswer(services, item);
    await bookOutcome(services, attempt);
  });
}

/**
 * Books the charge of an answer that arrived after its doubt was resolved. The ledger never edits an entry. If the
 * doubt was booked as "not charged", a late entry adds the charge. If a different charge was booked, an adjustment
 * corrects it.
 */
async function bookLateOutcome(
  services: GatewayServices,
  request: KeyedRequest,
  { reservationId, charge }: { readonly reservationId: string; readonly charge: Charge },
): Promise<void> {
  if ((await close(services, { reservationId }, charge)).kind !== 'not-open') return;
  const bookedCredits = await services.ledger.chargedFor(reservationId);
  const { credits, reason } = charge;
  if ((bookedCredits ?? 0) === credits) return;
  if (bookedCredits !== undefined) {
    const amountCredits = bookedCredits - credits;
    const correction = { id: `${reservationId}:proved`, amountCredits, reason: `proved: ${reason}` };
    await services.ledger.apply({ kind: 'adjust', ...correction });
    return;
  }
  const facts = { reservationId, ...ledgerFactsOf(request), amountCredits: credits };
  await services.ledger.apply({ kind: 'late', ...facts, reason });
}

/** The facts that the ledger stores about a request, without its credits. */
function ledgerFactsOf({
  key: questionKey,
  purpose,
  question: { operation },
  record,
  rule,
  askedBy,
}: KeyedRequest): Omit<NewReservation, 'reservationId' | 'amountCredits'> {
  return { questionKey, operation, purpose, record, rule, askedBy };
}

function close(
  { ledger }: Pick<GatewayServices, 'ledger'>,
  attempt: Booked,
  { credits: amountCredits, reason }: Charge,
): Promise<Appended> {
  return ledger.apply(
    amountCredits > 0
      ? { kind: 'post', ...attempt, amountCredits, reason }
      : { kind: 'void', ...attempt, reason },
  );
}

/**
 * Reads the charge of an attempt from its question's item. If the item has a newer attempt, reads the charge from the
 * ledger, because a charge is booked before the next attempt is sent.
 * @returns credits; `undefined` while the charge is unknown.
 */
export async function chargeOf(
  services: Pick<GatewayServices, 'ledger'> & { readonly items: Pick<GatewayServices['items'], 'read'> },
  { questionKey, reservationId }: Commitment,
): Promise<number | undefined> {
  const item = (await services.items.read(questionKind.key(questionKey)))?.value;
  const attempt = item?.attempt?.reservationId === reservationId ? item.attempt : undefined;
  // An attempt without a charge is in flight or in doubt.
  return attempt ? attempt.charge?.credits : ((await services.ledger.chargedFor(reservationId)) ?? 0);
}

/** See `AskGateway.obstacle`. */
export async function obstacleNow(
  services: GatewayServices,
  asked: Pick<AskRequest, 'question' | 'purpose' | 'askedBy'>,
): Promise<Extract<AskResult, { kind: 'doubt' | 'waiting' }> | undefined> {
  const { question } = asked;
  const { testCreditsPerHour } = services.policy;
  const nowMs = services.clock.now();
  const key = questionKey(question, services.digest);
  const attempt = (await services.items.read(questionKind.key(key)))?.value.attempt;
  if (attempt && obstacle(attempt) === 'in-doubt')
    return { ...doubtResult(key), deadlineAtMs: attempt.deadlineAtMs };
  const state = await services.breakers.read();
  const { keyHash = '' } = state.keyRefused ?? {};
  const wish = { priceCredits: priceOfQuestion(question), keyHash, nowMs, testCreditsPerHour };
  const passed = passage(state, wish);
  if (passed.kind === 'refused') return refusedByBreaker(passed);
  return refusedBeforehand(services, { ...asked, key, notAfterMs: nowMs });
}
