import type { Appended, NewReservation } from '#shared/credit-ledger';
import { type FinishServices, finishStoredAnswer } from '../answers/finish-answer.ts';
import { stateOfNote } from '../answers/note-state.ts';
import type { Commitment } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { domainsOf } from '../question.ts';
import type { Attempt, QuestionItem } from '../schemas.ts';
import { answersOf } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';

type Charge = NonNullable<Attempt['charge']>;

/** An attempt as it is booked. */
type Booked = Pick<Attempt, 'reservationId' | 'askedBy'>;

/**
 * Books the end of an attempt as its item shows it: posted, voided if nothing was charged, or in doubt if the charge is
 * unknown. Any process can repeat this safely: a reservation that is no longer open is already booked.
 */
export async function bookOutcome(
  services: Pick<GatewayServices, 'ledger'>,
  { reservationId, askedBy, charge }: Booked & Pick<Attempt, 'charge'>,
): Promise<void> {
  if (charge) await close(services, { reservationId, askedBy }, charge);
  else await services.ledger.apply({ kind: 'doubt', reservationId, askedBy, reason: 'no-answer' });
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
  await finishStoredAnswer(services, item);
  await bookOutcome(services, attempt);
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
  const { askedBy } = request;
  if ((await close(services, { reservationId, askedBy }, charge)).kind !== 'not-open') return;
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
  question: { operation, parameters },
  record,
  rule,
  askedBy,
}: KeyedRequest): Omit<NewReservation, 'reservationId' | 'amountCredits'> {
  const asked = { questionKey, operation, purpose, rule, askedBy };
  return operation === 'companiesByDomain'
    ? { ...asked, companies: domainsOf(parameters).length }
    : { ...asked, record };
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
  services: GatewayServices,
  commitment: Commitment,
): Promise<number | undefined> {
  const { questionKey, reservationId, credits, companyKey } = commitment;
  const item = (await services.items.read(questionKind.key(questionKey)))?.value;
  const attempt = item?.attempt?.reservationId === reservationId ? item.attempt : undefined;
  // An attempt without a charge is in flight or in doubt.
  const chargedCredits = attempt
    ? attempt.charge?.credits
    : ((await services.ledger.chargedFor(reservationId)) ?? 0);
  if (chargedCredits === undefined || chargedCredits === 0 || companyKey === undefined) return chargedCredits;
  return shareOf(services, { questionKey, reservationId, credits, companyKey });
}

/** Returns a company's share of a charged batch. If the company has no answer yet, its worst case counts. */
async function shareOf(
  services: GatewayServices,
  { questionKey, reservationId, credits, companyKey }: Commitment & { readonly companyKey: string },
): Promise<number> {
  const noted = (await services.items.read(questionKind.key(companyKey)))?.value.note;
  // The batch's answer may not be copied to the company's question yet. Reading the state does this.
  if (noted?.reservationId === reservationId) await stateOfNote(services, noted);
  const company = (await services.items.read(questionKind.key(companyKey)))?.value;
  const answer = answersOf(company).find(({ batch }) => batch === questionKey);
  return answer?.credits ?? credits;
}
