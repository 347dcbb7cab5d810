import { badRequest, notFound } from '../errors.ts';
import type { Operation, View } from '../operation.ts';
import { readText } from '../parameters.ts';
import { NO_CONTACT, personRecord } from '../records/person-record.ts';
import type { Person } from '../world/types.ts';
import { readEmail } from '../written-forms.ts';

/** Spec: "Reverse email lookup". */
export const reverseEmailLookup: Operation = {
  name: 'reverse-email-lookup',
  method: 'GET',
  path: '/api/v1/people/lookup/email',
  successStatus: 200,
  read: ({ query }) => {
    const text = readText(query, 'email');
    if (text === undefined) throw badRequest('Missing required parameter: email');
    const email = readEmail(text);
    if (email === undefined) throw badRequest('Invalid email address format');
    return {
      price: { per: 'request', base: 1, full: 1 },
      answer: (view) => {
        const person = findByEmail(email, view);
        if (person === undefined) throw notFound('No profile found for the provided email address');
        return { resultCount: 1, body: { data: personRecord(person, view.nowMs, NO_CONTACT) } };
      },
    };
  },
};

/** An address stays known when its holder has moved on, but is not known before the job has begun. */
function findByEmail(email: string, { world, nowMs }: View): Person | undefined {
  const person = world.personByEmail.get(email);
  const jobs = person === undefined ? [] : [person.job, person.nextJob];
  const isKnown = jobs.some((job) => job?.email === email && (job === person?.job || nowMs >= job.startMs));
  return isKnown ? person : undefined;
}
