import type { PersonFacts } from '#inside/questions/people/suppression-list.ts';
import { identifierKeys, type Question } from '#shared/questions';
import { digest } from '../questions/asking.ts';

const FIRST = ['Zoe', 'Ian', 'Mara', 'Otto', 'Pia', 'Rolf'];
const LAST = ['Fieldstone', 'Underhill', 'Waterman', 'Quillfeather', 'Nightingale', 'Overbrook'];
export const DOMAIN = 'acme-sample.com';

/** The n-th of some generated people, all of one company. */
export function human(nth: number) {
  const [first = '', last = ''] = [FIRST[nth % FIRST.length], LAST[nth % LAST.length]];
  const slug = `${first}-${last}-${nth}`.toLowerCase();
  return {
    first,
    last,
    email: `${first}.${last}.${nth}@${DOMAIN}`.toLowerCase(),
    url: `https://network.example/in/${slug}`,
    phone: `+4930901820${10 + nth}`,
    slug,
  };
}

export type Human = ReturnType<typeof human>;

/** As the data service tells of somebody. */
export function personRecord(
  { first, last, email, url, phone }: Human,
  more: readonly ('email' | 'phone')[] = [],
) {
  return {
    name: `${first} ${last}`,
    firstName: first,
    lastName: last,
    profileUrl: url,
    employerDomain: DOMAIN,
    ...(more.includes('email') && { email }),
    ...(more.includes('phone') && { mobilePhone: phone }),
  };
}

export function factsOf({ first, last, email, url, phone }: Human): PersonFacts {
  const names = [{ first, last }];
  return { emails: [email], profileUrls: [url], phones: [phone], names, domains: [DOMAIN] };
}

export function keysOf(facts: PersonFacts) {
  return identifierKeys(facts, digest);
}

/** Every way in which somebody can be asked about. */
export function questionsAbout({ first, last, email, url, phone }: Human) {
  return {
    url: { operation: 'personProfile', by: { profileUrl: url }, options: ['email', 'phone'] },
    email: { operation: 'reverseEmail', by: { email }, options: [] },
    phone: { operation: 'reversePhone', by: { phone }, options: [] },
    name: {
      operation: 'lookUpPerson',
      by: { domain: DOMAIN, firstName: first, lastName: last },
      options: [],
    },
    /** A key that cannot be made of the person's identifiers. */
    title: {
      operation: 'lookUpPerson',
      by: { domain: DOMAIN, firstName: first, title: 'Engineer' },
      options: [],
    },
    company: { operation: 'companyProfile', by: { domain: DOMAIN }, options: ['contacts'] },
    search: { operation: 'searchPeople', by: { search: '{"per_page":5}' }, options: [] },
    employees: {
      operation: 'searchEmployees',
      by: { search: `{"company_domain":"${DOMAIN}"}` },
      options: [],
    },
  } as const satisfies Record<string, Question>;
}

/** What the data service answers to them, with two others in each list. */
export function answerTo(
  name: keyof ReturnType<typeof questionsAbout>,
  who: Human,
  others: readonly Human[],
) {
  const everybody = [...others.slice(0, 1), who, ...others.slice(1)];
  switch (name) {
    case 'url':
      return personRecord(who, ['email', 'phone']);
    case 'company':
      return {
        name: 'Acme Sample',
        domain: DOMAIN,
        contacts: everybody.map(({ first, last, url, email }, nth) => ({
          name: `${first} ${last}`,
          title: 'Engineer',
          ...(nth % 2 === 0 ? { profileUrl: url } : { email }),
        })),
      };
    case 'search':
      return { data: everybody.map((one) => personRecord(one, ['email'])) };
    case 'employees':
      return {
        data: everybody.map(({ first, last }) => ({
          name: `${first} ${last}`,
          firstName: first,
          lastName: last,
        })),
        companyInfo: { domain: DOMAIN },
      };
    default:
      return personRecord(who);
  }
}

/** Texts by which somebody would be recognised, in lower case. */
export function tracesOf({ first, last, email, slug, phone }: Human): string[] {
  return [email, slug, phone, `${first} ${last}`.toLowerCase(), last.toLowerCase()];
}
