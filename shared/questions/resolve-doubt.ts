import { resolutionReason } from '#shared/credit-ledger';
import { keyInPortal } from '#shared/crm';
import { refuseWrongClock } from '#shared/kernel';
import { change } from '#shared/store';
import { bookOutcome } from './ask/book.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { QuestionItem } from './schemas.ts';
import { questionKind } from './stored-kinds.ts';
import { resolve, settleDoubt } from './transitions.ts';

export interface Resolution {
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
