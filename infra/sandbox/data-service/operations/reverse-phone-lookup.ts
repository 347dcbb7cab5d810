import { badRequest, notFound } from '../errors.ts';
import type { Operation, View } from '../operation.ts';
import { readText } from '../parameters.ts';
import { NO_CONTACT, personRecord } from '../records/person-record.ts';
import type { Person } from '../world/types.ts';
import { type PhoneDigits, readPhone } from '../written-forms.ts';

/** Spec: "Reverse phone lookup". */
export const reversePhoneLookup: Operation = {
  name: 'reverse-phone-lookup',
  method: 'GET',
  path: '/api/v1/people/lookup/phone',
  successStatus: 200,
  read: ({ query }) => {
    const text = readText(query, 'phone');
    if (text === undefined) throw badRequest('Missing required parameter: phone');
    const phone = readPhone(text);
    if (phone === undefined) throw badRequest('Invalid phone number format');
    return {
      price: { per: 'request', base: 1, full: 1 },
      answer: (view) => {
        const person = findByPhone(phone, view);
        if (person === undefined) throw notFound('No profile found for the provided phone number');
        return { resultCount: 1, body: { data: personRecord(person, view.nowMs, NO_CONTACT) } };
      },
    };
  },
};

/** Without a plus the digits may still begin with the calling code: a plus in a query string is read as a space. */
function findByPhone({ digits, isInternational }: PhoneDigits, { world }: View): Person | undefined {
  const person = world.personByInternationalPhone.get(digits);
  return person ?? (isInternational ? undefined : world.personByNationalPhone.get(digits));
}
