import { type OpenReservation, resolutionReason } from '#shared/credit-ledger';
import { keyInPortal } from '#shared/crm';
import { HOUR_MS, refuseWrongClock, unreachable } from '#shared/kernel';
import { change, type IndexedItems, type Owners, type Storage } from '#shared/store';
import { VENDORS } from '#shared/vendor';
import { discloseDoubt, type FinishServices } from './finish-answer.ts';
import type { GatewayServices } from './gateway-services.ts';
import { bookOutcome, finishAndBook } from './purchase.ts';
import { vendorOf } from './question.ts';
import { type Attempt, type BookedCharge, type QuestionItem, questionItemSchema } from './schemas.ts';
import { QUESTION_MARGIN_MS } from './stored-answers.ts';
import { questionKind } from './stored-kinds.ts';
import { doubt, nonceOf, resolve, settleDoubt } from './transitions.ts';

export interface AbandonedReport {
  readonly voided: number;
  readonly booked: number;
  readonly doubts: number;
  /** Reservations that stay open: an answer may still arrive, or they are already listed as doubts. */
  readonly left: number;
}

export type AbandonedServices = FinishServices & Pick<GatewayServices, 'ledger'>;
/** The services of a sweep, which also resolves doubts. */
export type SweptQuestions = AbandonedServices &
  Pick<GatewayServices, 'referenceClock'> & {
    readonly items: Pick<IndexedItems<QuestionItem>, 'list'>;
  };

/**
 * Finishes attempts that a crashed worker left open. It starts from the open reservations of the newest ledger entry:
 * - not sent: raises the question's fencing token, so that no request can be sent, then voids the reservation;
 * - charge known: finishes the stored answer and books the charge;
 * - sent, no outcome, deadline passed: marks the attempt as in doubt;
 * - so old that its question may have expired with the charge: books the worst case.
 * @throws the first error, after it has handled every reservation.
 */
export async function finishAbandoned(
  services: AbandonedServices,
  limits: AbandonedLimits,
): Promise<AbandonedReport> {
  const report = { voided: 0, booked: 0, doubts: 0, left: 0 };
  const errors: unknown[] = [];
  for (const open of await services.ledger.openReservations()) {
    try {
      report[await finishReservation(services, { open, ...limits })] += 1;
    } catch (error) {
      // An unreadable item must not stop the others.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return report;
}

interface AbandonedLimits {
  /** How long after its deadline a worker may still store an answer. */
  readonly graceMs: number;
  /** Whether the worker with this nonce has certainly ended. Its attempts are finished at once. */
  readonly hasEnded?: (nonce: string) => boolean;
}

interface FinishInput extends AbandonedLimits {
  readonly open: OpenReservation;
}

async function finishReservation(
  services: AbandonedServices,
  input: FinishInput,
): Promise<keyof AbandonedReport> {
  const { items, ledger, clock } = services;
  const { id: reservationId, questionKey: key, amountCredits } = input.open;
  const decision = await change(items, { key: questionKind.key(key), kind: 'question', clock }, (item) =>
    decideFinish(item, { ...input, nowMs: clock.now() }),
  );
  if (decision.finish === 'voided') await ledger.apply({ kind: 'void', reservationId, reason: 'abandoned' });
  if (decision.finish === 'expired') {
    const reason = resolutionReason('the question expired before its charge was booked');
    await ledger.apply({ kind: 'post', reservationId, amountCredits, reason });
    return 'booked';
  }
  if (decision.finish === 'doubts')
    await services.together(async () => {
      await discloseDoubt(services, decision.item);
      await ledger.apply({ kind: 'doubt', reservationId, reason: 'no-answer' });
    });
  if (decision.finish === 'booked') await finishAndBook(services, decision.item, decision.attempt);
  return decision.finish;
}

type FinishDecision =
  | { readonly finish: 'voided' | 'left' | 'expired'; readonly value?: QuestionItem | undefined }
  | { readonly finish: 'doubts'; readonly item: QuestionItem; readonly value?: QuestionItem | undefined }
  | {
      readonly finish: 'booked';
      readonly item: QuestionItem;
      readonly attempt: Attempt;
      readonly value?: QuestionItem | undefined;
    };

function decideFinish(
  item: QuestionItem | undefined,
  { open, graceMs, hasEnded, nowMs }: FinishInput & { nowMs: number },
): FinishDecision {
  const isOver = (endsAtMs: number) => nowMs >= endsAtMs + graceMs || hasEnded?.(nonceOf(open.id)) === true;
  if (item?.attempt?.reservationId === open.id)
    return decideSent({ item, attempt: item.attempt }, { open, isOver });
  // A doubt that the ledger lists stays open.
  if (open.state === 'doubtful' || !isOver(open.atMs)) return { finish: 'left' };
  if (nowMs >= open.atMs + QUESTION_MARGIN_MS) return { finish: 'expired' };
  // The item does not hold this attempt, so it was not sent.
  return { finish: 'voided' };
}

/** Decides for an attempt that was sent. */
function decideSent(
  { item, attempt }: { readonly item: QuestionItem; readonly attempt: Attempt },
  { open, isOver }: { readonly open: OpenReservation; readonly isOver: (endsAtMs: number) => boolean },
): FinishDecision {
  switch (attempt.state) {
    case 'completed':
      return { finish: 'booked', item, attempt };
    case 'in-flight':
      if (!isOver(attempt.deadlineAtMs)) return { finish: 'left' };
      return { finish: 'doubts', item, value: doubt(item, attempt).value };
    case 'in-doubt':
      return open.state === 'doubtful' ? { finish: 'left' } : { finish: 'doubts', item };
    default:
      return unreachable(attempt.state);
  }
}

interface Resolution {
  readonly questionKey: string;
  /** Limits the resolution to the doubt of this reservation. A later doubt of the same question stays open. */
  readonly reservationId?: string | undefined;
  /** Whether the vendor charged the request, as the vendor's own records show. */
  readonly charged: boolean;
  /** The reason for the ledger; no personal data. */
  readonly note: string;
  /** The policy assumes the charge. The doubt stays listed as booked until a person or a late answer settles it. */
  readonly isAssumed?: boolean | undefined;
}

export type Resolved =
  /**
   * `returnedCredits` were booked before, and an adjustment has now reversed them. `record` is the key of the record that
   * the request was for; absent if it was for none of this portal.
   */
  | {
      readonly kind: 'resolved';
      readonly credits: number;
      readonly returnedCredits?: number;
      readonly record?: string;
    }
  /** No doubt is open: it was resolved before, or a late answer ended it. */
  | { readonly kind: 'no-doubt' }
  /** The worker that sent the request may still store an answer. `notBeforeMs` in epoch milliseconds. */
  | { readonly kind: 'too-early'; readonly notBeforeMs: number };

type Services = Pick<GatewayServices, 'items' | 'owners' | 'ledger' | 'clock' | 'referenceClock'>;

/**
 * Ends a doubt, because a person knows the charge or the policy assumes it. The request is booked as charged at its
 * worst case, or as not charged. Then the question can be sent again. Its fencing token rises, so that a late answer is
 * recognised. The proved charge of a late answer is still booked. A person can also settle a doubt that the policy
 * booked.
 * @param graceMs the longest lifetime of a function. During this time, the worker that sent the request may still run.
 * @throws UpstreamError `CLOCK_WRONG`. The doubt is unchanged, because a wrong clock cannot show its age.
 */
export async function resolveDoubt(
  services: Services,
  resolution: Resolution,
  { graceMs }: { graceMs: number },
): Promise<Resolved> {
  const { items, owners, ledger, clock, referenceClock } = services;
  const { questionKey: key, reservationId, charged, note, isAssumed } = resolution;
  const reason = resolutionReason(note);
  const decide = (item: QuestionItem | undefined) => {
    refuseWrongClock({ referenceClock });
    const nowMs = clock.now();
    const notBeforeMs = (item?.attempt?.deadlineAtMs ?? 0) + graceMs;
    const resolved = resolve(item, { reservationId, charged, reason, nowMs, isAssumed });
    return resolved.kind === 'next' && nowMs < notBeforeMs
      ? { kind: 'too-early' as const, notBeforeMs, value: undefined }
      : resolved;
  };
  const resolved = await change(items, { key: questionKind.key(key), kind: 'question', clock }, decide);
  if (resolved.kind === 'refused')
    return isAssumed ? { kind: 'no-doubt' } : settleBooked(services, resolution);
  if (resolved.kind === 'too-early') return { kind: 'too-early', notBeforeMs: resolved.notBeforeMs };
  // Every charge is stored on the question's item before it is booked in the ledger.
  const { attempt } = resolved.value;
  await bookOutcome({ ledger }, attempt);
  const record = attempt.record && keyInPortal(owners.portal, attempt.record);
  const credits = attempt.charge?.credits ?? 0;
  return { kind: 'resolved', credits, ...(record !== undefined && { record }) };
}

/** Maximum number of doubts that one sweep resolves, the oldest first. The next sweep continues. */
const MAX_OLD_DOUBTS = 500;

/**
 * Resolves old doubts as charged, if the policy allows it. No doubt is resolved as not charged, because only a person can
 * know this. The resolved doubts stay listed as booked doubts.
 * @param afterHours age from which a doubt counts as charged. If absent, doubts wait for a person.
 */
export async function resolveOldDoubts(
  services: Services & { readonly items: IndexedQuestions },
  { afterHours, graceMs }: { readonly afterHours: number | undefined; readonly graceMs: number },
): Promise<number> {
  if (afterHours === undefined) return 0;
  let resolved = 0;
  for (const { questionKey, sentAtMs } of await readOpenDoubts(services, MAX_OLD_DOUBTS)) {
    if (services.clock.now() < sentAtMs + afterHours * HOUR_MS) continue;
    const resolution = { questionKey, charged: true, note: 'by policy, for its age', isAssumed: true };
    const result = await resolveDoubt(services, resolution, { graceMs });
    if (result.kind === 'resolved') resolved += 1;
  }
  return resolved;
}

/**
 * Settles the given booked doubt of a question, or its oldest one. Writes the ledger first, so that a repeat books
 * nothing twice.
 */
async function settleBooked(
  { items, ledger, clock }: Services,
  { questionKey: key, reservationId: given, charged, note }: Resolution,
): Promise<Resolved> {
  const item = (await items.read(questionKind.key(key)))?.value;
  const doubt = item?.bookedDoubts?.find(({ reservationId: id }) => given === undefined || id === given);
  if (!doubt) return { kind: 'no-doubt' };
  const { reservationId, credits } = doubt;
  if (item?.attempt?.reservationId === reservationId) await bookOutcome({ ledger }, item.attempt);
  const amountCredits = charged ? 0 : ((await ledger.chargedFor(reservationId)) ?? 0);
  if (amountCredits !== 0) {
    const correction = { id: `${reservationId}:settled`, amountCredits, reason: resolutionReason(note) };
    await ledger.apply({ kind: 'adjust', ...correction });
  }
  await change(items, { key: questionKind.key(key), kind: 'question', clock }, (known) =>
    settleDoubt(known, reservationId),
  );
  return charged
    ? { kind: 'resolved', credits }
    : { kind: 'resolved', credits: 0, returnedCredits: amountCredits };
}

/** A request without an answer. No personal data. */
export interface StoredDoubt
  extends Pick<QuestionItem, 'operation'>,
    Pick<Attempt, 'purpose' | 'sentAtMs' | 'deadlineAtMs'> {
  readonly questionKey: string;
  readonly reservationId: string;
  /** The worst-case cost of the request. */
  readonly credits: number;
  /** `contacts#123`, or the name of another portal's record; absent for a question about several records or none. */
  readonly record?: string | undefined;
}

const OPEN = questionKind.partition('doubts-open');

type IndexedQuestions = Pick<IndexedItems<QuestionItem>, 'list'>;

/** Reads the open doubts, the oldest first. */
export async function readOpenDoubts(
  { items, owners }: { readonly items: IndexedQuestions; readonly owners: Owners },
  limit?: number,
): Promise<StoredDoubt[]> {
  const found = await items.list({ partition: OPEN, ...(limit !== undefined && { limit }) });
  return found.flatMap(({ key: questionKey, operation, attempt }) => {
    if (attempt?.state !== 'in-doubt') return [];
    const {
      reservationId,
      purpose,
      sentAtMs,
      deadlineAtMs,
      worstCaseCredits: credits,
      record: name,
    } = attempt;
    const record = name && (keyInPortal(owners.portal, name) ?? name);
    const doubt = { questionKey, operation, reservationId, purpose, sentAtMs, deadlineAtMs, credits };
    return [{ ...doubt, ...(record !== undefined && { record }) }];
  });
}

/** A request without an answer. The policy assumed the charge and booked it. No personal data. */
export interface BookedDoubt extends BookedCharge, Pick<QuestionItem, 'operation'> {
  readonly questionKey: string;
}

export interface BookedDoubts {
  /** Oldest first. */
  readonly doubts: readonly BookedDoubt[];
  readonly credits: number;
  /** The list was cut at its limit. */
  readonly isMore: boolean;
}

/** Limit of the list: more than a person can settle in a day. */
const MAX_QUESTIONS = 200;

/** Reads doubts that were booked as charged, and that no person and no late answer has settled. */
export async function readBookedDoubts(items: IndexedQuestions): Promise<BookedDoubts> {
  // A question that is in doubt again is listed under the open doubts.
  const lists = await Promise.all(
    [questionKind.partition('doubts-booked'), OPEN].map((partition) =>
      items.list({ partition, limit: MAX_QUESTIONS + 1 }),
    ),
  );
  const found = lists.flat().filter(({ bookedDoubts }) => bookedDoubts);
  const doubts = found
    .slice(0, MAX_QUESTIONS)
    .flatMap(({ key: questionKey, operation, bookedDoubts = [] }) =>
      bookedDoubts.map((booked) => ({ ...booked, questionKey, operation })),
    );
  const credits = doubts.reduce((sum, booked) => sum + booked.credits, 0);
  return { doubts, credits, isMore: found.length > MAX_QUESTIONS };
}

/**
 * Reads the ledger entry of each question's last attempt at the first vendor, as a hash by entry number. That vendor's
 * ledger must still hold these entries. Reads the whole table, so only a check that a person starts uses this.
 */
export async function readSentEntries({
  store,
}: Pick<Storage, 'store'>): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, string>();
  const attempts = questionItemSchema.pick({ key: true, attempt: true });
  for await (const body of store.scan(questionKind)) {
    const { key, attempt: { entry } = {} } = attempts.parse(body);
    if (entry && vendorOf(key) === VENDORS[0]) hashes.set(entry.seq, entry.hash);
  }
  return hashes;
}
