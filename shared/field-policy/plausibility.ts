import type { CrmRecord } from '#shared/crm';
import {
  compareCompanyNames,
  compareNames,
  domainLabel,
  holdsName,
  mailOf,
  type NameComparison,
  type PersonName,
  profileKey,
  registrableDomain,
  textOf,
} from '#shared/identity';
import { countryCode } from './mapping/countries.ts';
import { type EnrichmentAnswer, textAt, valueAt } from './mapping/map-answer.ts';

/** `reason` is for a person and holds no value of record or answer. */
export type Plausibility =
  | { readonly kind: 'plausible' }
  | { readonly kind: 'contradiction'; readonly reason: string };

export interface PlausibilityInput {
  /** Read with the properties of `PLAUSIBILITY_PROPERTIES`; one that is absent is not compared. */
  readonly record: CrmRecord;
  readonly answer: EnrichmentAnswer;
  /** The company domain of the question, if it had one: the answer's person has to work there. */
  readonly askedDomain?: string | undefined;
  /** The domain of the company that the contact belongs to in HubSpot. */
  readonly companyDomain?: string | undefined;
  /** It came from a search for many companies, which may mix up their records. */
  readonly bySearch?: boolean | undefined;
}

/** What has to be read of a record for the check. */
export const PLAUSIBILITY_PROPERTIES = {
  contacts: ['firstname', 'lastname', 'email', 'hs_linkedin_url', 'country'],
  companies: ['name', 'domain', 'linkedin_company_page'],
} as const;

/** Holds an answer against what the record says already. Only clear contradictions count: doubt is plausible. */
export function checkAnswer(input: PlausibilityInput): Plausibility {
  const reason = input.record.objectType === 'contacts' ? personReason(input) : companyReason(input);
  return reason === undefined ? { kind: 'plausible' } : { kind: 'contradiction', reason };
}

function personReason({ record, answer, askedDomain, companyDomain }: PlausibilityInput): string | undefined {
  const found = nameOfAnswer(answer);
  const { first, last } = compareNames(
    { first: textOf(record, 'firstname'), last: textOf(record, 'lastname') },
    found,
  );
  // The same profile, or an address with the name in it: people marry, and nicknames are without number.
  const isSure = isSameProfile(record, 'hs_linkedin_url', answer) || emailHoldsName(record, found);
  const isExcused = isSure && (first === 'agree' || last === 'agree');
  if (last === 'differ' && !isExcused) return 'the answer is about a person with another last name';
  if (first === 'differ' && !isExcused) return 'the answer is about a person with another first name';
  if (first !== 'agree' && last !== 'agree' && isForeignAddress(record, found))
    return 'the answer is about a person whose name is not the one in the address';
  const employer = employerReason({ answer, askedDomain, companyDomain });
  if (employer !== undefined || askedDomain === undefined) return employer;
  return isSure ? undefined : countryReason(record, answer);
}

/** A record never mixes two employers: what it says of one, and what the answer says, have to go together. */
function employerReason({
  answer,
  askedDomain,
  companyDomain,
}: Omit<PlausibilityInput, 'record'>): string | undefined {
  const domains = domainsAt(answer, EMPLOYER_DOMAINS);
  if (askedDomain !== undefined && !belongTogether(askedDomain, domains))
    return 'the answer is about a person at another company';
  if (companyDomain !== undefined && !belongTogether(companyDomain, domains))
    return 'the answer names another employer than the company of the record';
  return undefined;
}

/** Whether the address is at another employer than the answer's: unless we wrote it ourselves, the two do not go together. */
export function isAddressElsewhere({
  record,
  answer,
}: Pick<PlausibilityInput, 'record' | 'answer'>): boolean {
  const mail = record.objectType === 'contacts' ? mailOf(record) : undefined;
  if (!mail || mail.free) return false;
  return !belongTogether(mail.domain, domainsAt(answer, EMPLOYER_DOMAINS));
}

/** Where an answer about a person names the employer's domain. */
export const EMPLOYER_DOMAINS = ['organizations.primary_domain', 'organizations.website_url'];

/** `jane.doe@` fits no Marta Klein; one word alone may be anything. */
function isForeignAddress(record: CrmRecord, { first, last }: PersonName): boolean {
  const mail = mailOf(record);
  if (!mail || mail.role || (first === undefined && last === undefined)) return false;
  const words = mail.address
    .slice(0, mail.address.lastIndexOf('@'))
    .split(/[._-]/)
    .map((word) => word.replace(/\d+$/, ''));
  if (words.length < 2 || words.some((word) => !/^[a-z]{2,}$/.test(word))) return false;
  return words.every((word) => {
    const asName = compareNames({ first: word, last: word }, { first, last });
    return asName.first !== 'agree' && asName.last !== 'agree';
  });
}

// Found by nothing but a name and a company: large ones have two people of one name, but seldom in one country.
function countryReason(record: CrmRecord, answer: EnrichmentAnswer): string | undefined {
  const known = countryCode(textOf(record, 'country') ?? '');
  const found = countryCode(textAt(answer, 'country_code') ?? textAt(answer, 'country') ?? '');
  if (known === undefined || found === undefined || known === found) return undefined;
  return 'the answer is about a person in another country';
}

function companyReason({ record, answer, askedDomain, bySearch }: PlausibilityInput): string | undefined {
  const page = comparePages(textOf(record, 'linkedin_company_page'), textAt(answer, 'network_url'));
  if (page === 'agree') return undefined;
  const domain = textOf(record, 'domain') ?? askedDomain;
  const domains = domainsAt(answer, ['primary_domain', 'website_url', 'domains']);
  const [known, found] = [textOf(record, 'name'), textAt(answer, 'name')];
  const name = known && found ? compareCompanyNames(known, found) : 'unknown';
  if (domain === undefined || domains.length === 0)
    return name === 'differ' ? 'the answer is about a company with another name' : undefined;
  if (!belongTogether(domain, domains)) return 'the answer is about a company with another domain';
  if (name === 'agree' || isNamedAs(domain, answer)) return undefined;
  const [nameDiffers, pageDiffers] = [name === 'differ', page === 'differ'];
  const isOther = bySearch ? nameDiffers || pageDiffers : nameDiffers && pageDiffers;
  return isOther ? OTHER_UNDER_DOMAIN : undefined;
}

const OTHER_UNDER_DOMAIN = 'the answer has the domain of the record, and the name or page of another company';

/** A number instead of a name is an older address of a page. It does not show which page. */
function comparePages(known: string | undefined, found: string | undefined): NameComparison {
  if (known === undefined || found === undefined) return 'unknown';
  const [one, other] = [profileKey(known), profileKey(found)];
  if (one === other) return 'agree';
  return [one, other].some((key) => /\/\d+$/.test(key)) ? 'unknown' : 'differ';
}

/** Whether the answer's name or page is that of its domain: then the record is known by another name, such as its owner's. */
function isNamedAs(domain: string, answer: EnrichmentAnswer): boolean {
  const label = domainLabel(domain);
  const page = profileKey(textAt(answer, 'network_url') ?? '')
    .split('/')
    .at(-1);
  return [textAt(answer, 'name'), page].some(
    (name) => label !== undefined && !!name && compareCompanyNames(label, name) === 'agree',
  );
}

/** One company's domains share the registered domain, or its name under another outcome. */
function belongTogether(domain: string, others: readonly string[]): boolean {
  const [registered, label] = [registrableDomain(domain), domainLabel(domain)];
  if (registered === undefined || others.length === 0) return true;
  return others.some((other) => registrableDomain(other) === registered || domainLabel(other) === label);
}

function domainsAt(answer: EnrichmentAnswer, keys: readonly string[]): string[] {
  return keys
    .flatMap((key) => valueAt(answer, [key]))
    .filter((value) => typeof value === 'string')
    .filter((value) => registrableDomain(value) !== undefined);
}

function isSameProfile(record: CrmRecord, property: string, answer: EnrichmentAnswer): boolean {
  const [known, found] = [textOf(record, property), textAt(answer, 'network_url')];
  return known !== undefined && found !== undefined && profileKey(known) === profileKey(found);
}

function emailHoldsName(record: CrmRecord, { last }: PersonName): boolean {
  const [localPart] = (textOf(record, 'email') ?? '').split('@');
  return localPart !== undefined && last !== undefined && holdsName(localPart, last);
}

// The parts, or the whole name cut at its last space.
function nameOfAnswer(answer: EnrichmentAnswer): PersonName {
  const [first, last] = [textAt(answer, 'first_name'), textAt(answer, 'last_name')];
  if (first !== undefined || last !== undefined) return { first, last };
  const words = (textAt(answer, 'name') ?? '').split(/\s+/).filter((word) => word !== '');
  return words.length < 2
    ? { first: undefined, last: undefined }
    : { first: words.slice(0, -1).join(' '), last: words.at(-1) };
}
