import type { CrmRecord } from '#shared/crm';
import { type AnswerFacts, domainsInAnswer, employerDomains, factOf, nameInAnswer } from './answer-facts.ts';
import { cleanCompanyName } from './clean/clean-texts.ts';
import { compareCompanyNames } from './company-names.ts';
import { countryCode } from './countries.ts';
import { type Agreement, compareNames, holdsName } from './person-names.ts';
import { addressesOf, type MailAddress, textOf } from './record-identity.ts';
import { domainLabel, profileKey, registrableDomain } from './web-address.ts';

/** A record and an answer to compare. A property that was not read is not compared. */
export interface Comparison {
  readonly record: Pick<CrmRecord, 'objectType' | 'properties' | 'companyDomains'>;
  readonly answer: AnswerFacts;
  /**
   * The company domain of a question that asked for a person by name and company. The answer's person must work at this
   * company.
   */
  readonly askedDomain?: string | undefined;
  /** Groups of domains that belong to one company or family of companies, according to HubSpot or the vendor. */
  readonly families?: readonly (readonly string[])[] | undefined;
  /** Whether a property still has the value that we wrote last. By default, no property has. */
  readonly isOurs?: ((property: string) => boolean) | undefined;
}

export function compareProfiles({ record, answer }: Comparison): Agreement {
  const [known, found] = [textOf(record, 'hs_linkedin_url'), factOf(answer, 'network_url')];
  if (known === undefined || found === undefined) return 'unknown';
  return profileKey(known) === profileKey(found) ? 'agree' : 'differ';
}

export function comparePeople({ record, answer }: Comparison): ReturnType<typeof compareNames> {
  const known = { first: textOf(record, 'firstname'), last: textOf(record, 'lastname') };
  return compareNames(known, nameInAnswer(answer));
}

/**
 * Compares the answer's name with the addresses. If the record's name agrees, an address with another name does not
 * count. People change their names when they marry, and some use the mailbox of their assistant.
 */
export function compareMailboxes(given: Comparison): Agreement {
  const found = nameInAnswer(given.answer);
  const mails = addressesOf(given.record);
  if (mails.some(({ address }) => found.last !== undefined && holdsName(mailboxOf(address), found.last)))
    return 'agree';
  const { first, last } = comparePeople(given);
  if (first === 'agree' || last === 'agree') return 'unknown';
  return mails.some((mail) => isForeignMailbox(mail, found)) ? 'differ' : 'unknown';
}

/**
 * Whether a mailbox has another person's name: `jane.doe@` does not fit Marta Klein. A single word proves nothing, and
 * a name in another script fits every address.
 */
function isForeignMailbox(
  { address, role }: MailAddress,
  { first, last }: ReturnType<typeof nameInAnswer>,
): boolean {
  const words = mailboxOf(address)
    .split(/[._-]/)
    .map((word) => word.replace(/\d+$/, ''));
  if (role || words.length < 2 || words.some((word) => !/^[a-z]{2,}$/.test(word))) return false;
  return (
    (first ?? last) !== undefined &&
    words.every((word) => {
      const asName = compareNames({ first: word, last: word }, { first, last });
      return (!first || asName.first === 'differ') && (!last || asName.last === 'differ');
    })
  );
}

function mailboxOf(address: string): string {
  return address.slice(0, address.lastIndexOf('@'));
}

/**
 * Compares the employer with the company of the question. Also agrees if an email address of the record belongs to the
 * employer.
 */
export function compareAskedCompany(given: Comparison): Agreement {
  const { askedDomain } = given;
  if (askedDomain === undefined) return 'unknown';
  return compareEmployers(given, [askedDomain, ...businessDomains(given)]);
}

/**
 * Compares countries after a question by name. A large company may have two people with the same name, but rarely in
 * the same country.
 */
export function compareCountries({ record, answer, askedDomain }: Comparison): Agreement {
  const known = countryCode(textOf(record, 'country') ?? '');
  const found = countryCode(factOf(answer, 'country_code') ?? factOf(answer, 'country') ?? '');
  if (askedDomain === undefined || known === undefined || found === undefined) return 'unknown';
  return known === found ? 'agree' : 'differ';
}

export function compareWithAssociation(given: Comparison): Agreement {
  return compareEmployers(given, given.record.companyDomains ?? []);
}

export function compareBusinessDomains(given: Comparison): Agreement {
  return compareEmployers(given, businessDomains(given));
}

function businessDomains({ record }: Comparison): string[] {
  return addressesOf(record).flatMap(({ domain, free }) => (free ? [] : [domain]));
}

function compareEmployers({ answer, families }: Comparison, known: readonly string[]): Agreement {
  return compareDomainLists(known, employerDomains(answer), families);
}

/**
 * Compares the website with the employer. Returns `differ` only for a website that we wrote, because people also enter
 * the address of a blog or a shop.
 */
export function compareWebsites(given: Comparison): Agreement {
  const { record, isOurs } = given;
  const agreement = compareEmployers(given, [textOf(record, 'website') ?? '']);
  if (agreement !== 'differ' || isStatedCompany(given)) return agreement === 'differ' ? 'unknown' : agreement;
  return isOurs?.('website') ? 'differ' : 'unknown';
}

function isStatedCompany({ record, answer }: Comparison): boolean {
  return statedCompany(record) !== undefined && factOf(answer, 'organizations.name') !== undefined;
}

export function compareStatedCompanies({ record, answer }: Comparison): Agreement {
  return compareCompanyTexts(statedCompany(record), factOf(answer, 'organizations.name'));
}

/** A placeholder such as "Freelance" or "n/a" names no company. */
function statedCompany(record: Comparison['record']): string | undefined {
  return cleanCompanyName(textOf(record, 'company') ?? '').value;
}

function compareCompanyTexts(known: string | undefined, found: string | undefined): Agreement {
  return known === undefined || found === undefined ? 'unknown' : compareCompanyNames(known, found);
}

function companyDomainsOf({ record, askedDomain }: Comparison): string[] {
  const additional = record.properties['hs_additional_domains']?.split(';') ?? [];
  return [textOf(record, 'domain') ?? askedDomain ?? '', ...additional].filter((domain) => domain !== '');
}

export function compareDomains(given: Comparison): Agreement {
  return compareDomainLists(companyDomainsOf(given), domainsInAnswer(given.answer));
}

/**
 * Compares names. A company's name and its domain can differ. So the names also agree if a domain of the record
 * contains the answer's name.
 */
export function compareCompanies(given: Comparison): Agreement {
  const { record, answer } = given;
  const agreement = compareCompanyTexts(
    cleanCompanyName(textOf(record, 'name') ?? '').value,
    factOf(answer, 'name'),
  );
  if (agreement === 'agree' || compareDomains(given) !== 'agree') return agreement;
  const page = profileKey(factOf(answer, 'network_url') ?? '')
    .split('/')
    .at(-1);
  const names = [factOf(answer, 'name') ?? '', page ?? ''].filter((name) => name !== '');
  const labels = companyDomainsOf(given).flatMap((domain) => domainLabel(domain) ?? []);
  const isNamed = names.some((name) => labels.some((label) => compareCompanyNames(label, name) === 'agree'));
  return isNamed ? 'agree' : agreement;
}

/**
 * Compares the companies' pages. They can differ only if the domains can be compared. A page with a number is an older
 * form of address and proves no difference.
 */
export function comparePages(given: Comparison): Agreement {
  const [known, found] = [
    textOf(given.record, 'linkedin_company_page'),
    factOf(given.answer, 'network_url'),
  ].map((page) => (page === undefined ? undefined : profileKey(page)));
  if (known === undefined || found === undefined) return 'unknown';
  if (known === found) return 'agree';
  const areComparable = ![known, found].some((key) => /\/\d+$/.test(key));
  return areComparable && compareDomains(given) !== 'unknown' ? 'differ' : 'unknown';
}

/**
 * Compares domains. Two domains belong to one company if the registered domain or its name agrees, or if a family has
 * both.
 */
function compareDomainLists(
  known: readonly string[],
  found: readonly string[],
  families: readonly (readonly string[])[] = [],
): Agreement {
  const usable = known.filter((domain) => registrableDomain(domain) !== undefined);
  if (usable.length === 0 || found.length === 0) return 'unknown';
  const isSameCompany = (a: string, b: string) =>
    registrableDomain(a) === registrableDomain(b) || domainLabel(a) === domainLabel(b);
  const isIn = (family: readonly string[], domain: string) =>
    family.some((each) => isSameCompany(each, domain));
  const agrees = usable.some((one) =>
    found.some(
      (other) =>
        isSameCompany(one, other) || families.some((family) => isIn(family, one) && isIn(family, other)),
    ),
  );
  return agrees ? 'agree' : 'differ';
}
