import type { Appended, NewReservation } from '#shared/credit-ledger';
import type { Commitment } from '../ask-result.ts';
import { type FinishServices, finishStoredAnswer } from '../finish-answer.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import type { Attempt, QuestionItem } from '../schemas.ts';
import { questionKind } from '../stored-kinds.ts';

type Charge = NonNullable<Attempt['charge']>;

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
export async function finishAttempt(
  services: FinishServices & Pick<GatewayServices, 'ledger'>,
  item: QuestionItem,
): Promise<void> {
  const { attempt } = item;
  if (!attempt) return;
  const open = await services.ledger.openReservations();
  if (!open.some(({ id }) => id === attempt.reservationId)) return;
  await services.together(async () => {
    await finishStoredAnswer(services, item);
    await bookOutcome(services, attempt);
  });
}

/**
 * Books the charge of an answer that arrived after its doubt was resolved. The ledger never edits an entry. If the
 * doubt was booked as "not charged", a late entry adds the charge. If a different charge was booked, an adjustment
 * corrects it.
 */
export async function bookLateOutcome(
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
export function ledgerFactsOf({
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
