import type { NewReservation } from '#shared/credit-ledger/next-entry.ts';
import type { KeyedRequest } from '../gateway-services.ts';
import { domainsOf } from '../question.ts';

/** What the books say of a request, but for its credits: what is asked, what for, and for whom. */
export function askedOf({
  key: questionKey,
  purpose,
  question: { operation, parameters },
  record,
}: KeyedRequest): Omit<NewReservation, 'reservationId' | 'amountCredits'> {
  const asked = { questionKey, operation, purpose };
  return operation === 'companiesByDomain'
    ? { ...asked, companies: domainsOf(parameters).length }
    : { ...asked, record };
}
