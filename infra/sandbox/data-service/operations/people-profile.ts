import { badRequest, notFound } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { contactCredits, readContactOptions, readText } from '../parameters.ts';
import { personRecord } from '../records/person-record.ts';
import { readPageAddress } from '../written-forms.ts';

/** Spec: "People profile". */
export const peopleProfile: Operation = {
  name: 'people-profile',
  method: 'GET',
  path: '/api/v1/people/profile',
  successStatus: 200,
  read: ({ query }) => {
    const text = readText(query, 'network_url');
    if (text === undefined) throw badRequest('Missing required parameter: network_url');
    const address = readPageAddress(text);
    if (address?.kind !== 'person') throw badRequest('Invalid profile URL format');
    const options = readContactOptions(query);
    return {
      price: { per: 'request', base: 1, full: 1 + contactCredits(options) },
      answer: ({ world, nowMs }) => {
        const person = world.personBySlug.get(address.slug);
        if (person === undefined) throw notFound('Profile not found for the provided profile URL');
        return { resultCount: 1, body: { data: personRecord(person, nowMs, options) } };
      },
    };
  },
};
