import { badRequest, notFound } from '../errors.ts';
import type { Operation, OperationName, View } from '../operation.ts';
import { contactCredits, readContactOptions, readText } from '../parameters.ts';
import { NO_CONTACT, personRecord } from '../records/person-record.ts';
import type { Person } from '../world/types.ts';
import { type PhoneDigits, readEmail, readPageAddress, readPhone } from '../written-forms.ts';

interface Identifier<Form> {
  readonly name: OperationName;
  readonly path: string;
  readonly parameter: string;
  /** @returns `undefined` if the text has another form. */
  readonly read: (text: string) => Form | undefined;
  readonly find: (form: Form, view: View) => Person | undefined;
  /** Error texts of the specification. */
  readonly wrongForm: string;
  readonly noMatch: string;
  readonly hasOptions?: boolean;
}

/** Spec: "People profile". */
export const peopleProfile = personBy({
  name: 'people-profile',
  path: '/api/v1/people/profile',
  parameter: 'network_url',
  read: readPersonSlug,
  find: (slug, { world }) => world.personBySlug.get(slug),
  wrongForm: 'Invalid profile URL format',
  noMatch: 'Profile not found for the provided profile URL',
  hasOptions: true,
});

/** Spec: "Reverse email lookup". */
export const reverseEmailLookup = personBy({
  name: 'reverse-email-lookup',
  path: '/api/v1/people/lookup/email',
  parameter: 'email',
  read: readEmail,
  find: findByEmail,
  wrongForm: 'Invalid email address format',
  noMatch: 'No profile found for the provided email address',
});

/** Spec: "Reverse phone lookup". */
export const reversePhoneLookup = personBy({
  name: 'reverse-phone-lookup',
  path: '/api/v1/people/lookup/phone',
  parameter: 'phone',
  read: readPhone,
  find: findByPhone,
  wrongForm: 'Invalid phone number format',
  noMatch: 'No profile found for the provided phone number',
});

function personBy<Form>(by: Identifier<Form>): Operation {
  return {
    name: by.name,
    method: 'GET',
    path: by.path,
    successStatus: 200,
    read: ({ query }) => {
      const text = readText(query, by.parameter);
      if (text === undefined) throw badRequest(`Missing required parameter: ${by.parameter}`);
      const form = by.read(text);
      if (form === undefined) throw badRequest(by.wrongForm);
      const options = by.hasOptions ? readContactOptions(query) : NO_CONTACT;
      return {
        price: { per: 'request', base: 1, full: 1 + contactCredits(options) },
        answer: (view) => {
          const person = by.find(form, view);
          if (person === undefined) throw notFound(by.noMatch);
          return { resultCount: 1, body: { data: personRecord(person, view.nowMs, options) } };
        },
      };
    },
  };
}

function readPersonSlug(text: string): string | undefined {
  const address = readPageAddress(text);
  return address?.kind === 'person' ? address.slug : undefined;
}

/**
 * Finds a person by email. An address is unknown before its job begins, and stays known after the person has left the
 * job.
 */
function findByEmail(email: string, { world, nowMs }: View): Person | undefined {
  const person = world.personByEmail.get(email);
  const jobs = person === undefined ? [] : [person.job, person.nextJob];
  const isKnown = jobs.some((job) => job?.email === email && (job === person?.job || nowMs >= job.startMs));
  return isKnown ? person : undefined;
}

/**
 * Finds a person by phone. A plus in a query string is read as a space, so digits without a plus can also begin with
 * the calling code.
 */
function findByPhone({ digits, isInternational }: PhoneDigits, { world }: View): Person | undefined {
  const person = world.personByInternationalPhone.get(digits);
  return person ?? (isInternational ? undefined : world.personByNationalPhone.get(digits));
}
