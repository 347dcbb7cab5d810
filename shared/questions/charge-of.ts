import type { Commitment } from './ask-result.ts';
import { stateOfNote } from './companies/note-state.ts';
import type { GatewayServices } from './gateway-services.ts';
import { answersOf } from './stored-answers.ts';

/**
 * Reads what an attempt was charged from its question's item. Where a later attempt has taken its place there, or it was
 * never sent, the ledger says: a charge is booked before the next attempt is sent.
 * @returns credits; `undefined` while nobody knows.
 */
export async function chargeOf(
  services: GatewayServices,
  commitment: Commitment,
): Promise<number | undefined> {
  const { questionKey, reservationId, credits, companyKey } = commitment;
  const item = (await services.items.read(questionKey))?.value;
  const attempt = item?.attempt?.reservationId === reservationId ? item.attempt : undefined;
  // Without a charge it is in flight or in doubt.
  const charged = attempt ? attempt.charge?.credits : await services.ledger.chargedFor(reservationId);
  if (charged === undefined || charged === 0 || companyKey === undefined) return charged;
  return shareOf(services, { questionKey, reservationId, credits, companyKey });
}

/** A company's share of a batch that was charged. A company without an answer of its own counts in full. */
async function shareOf(
  services: GatewayServices,
  { questionKey, reservationId, credits, companyKey }: Commitment & { readonly companyKey: string },
): Promise<number> {
  const noted = (await services.items.read(companyKey))?.value.note;
  // The batch came back, and its answer may not have been handed to the company.
  if (noted?.reservationId === reservationId) await stateOfNote(services, noted);
  const company = (await services.items.read(companyKey))?.value;
  const answer = answersOf(company).find(({ batch }) => batch === questionKey);
  return answer?.credits ?? credits;
}
