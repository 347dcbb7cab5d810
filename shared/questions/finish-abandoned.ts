import { type OpenReservation, resolutionReason } from '#shared/credit-ledger';
import { unreachable } from '#shared/kernel';
import { change, type IndexedItems } from '#shared/store';
import { discloseDoubt, type FinishServices } from './finish-answer.ts';
import type { GatewayServices } from './gateway-services.ts';
import { finishAndBook } from './purchase.ts';
import type { Attempt, QuestionItem } from './schemas.ts';
import { QUESTION_MARGIN_MS } from './stored-answers.ts';
import { questionKind } from './stored-kinds.ts';
import { doubt, nonceOf } from './transitions.ts';

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
