import { type CrmRecord, isAboutPerson, type ObjectType } from '#shared/crm';
import { cleanCompanyName } from './clean.ts';
import { countryCode } from './countries.ts';
import { type Agreement, compareCompanyNames, compareNames, holdsName, type PersonName } from './names.ts';
import { addressesOf, type MailAddress, textOf } from './record-identity.ts';
import { foldText } from './texts.ts';
import { domainLabel, profileKey, registrableDomain } from './web-address.ts';

/** A canonical record of a person or a company. */
export type AnswerFacts = Readonly<Record<string, unknown>>;

/** Returns a trimmed text of the answer; `undefined` if the field has none. */
function factOf(answer: AnswerFacts, field: string): string | undefined {
  const value = answer[field];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Returns the person's name: its parts, or the whole name split at the last space. */
function nameInAnswer(answer: AnswerFacts): PersonName {
  const [first, last] = [factOf(answer, 'firstName'), factOf(answer, 'lastName')];
  if (first !== undefined || last !== undefined) return { first, last };
  const words = (factOf(answer, 'name') ?? '').split(/\s+/).filter((word) => word !== '');
  return words.length < 2
    ? { first: undefined, last: undefined }
    : { first: words.slice(0, -1).join(' '), last: words.at(-1) };
}

/**
 * Returns the values by which a person tells whom the answer is about, by HubSpot property. For a contact, the name and
 * the employer; for a company, the name and the domain.
 */
export function subjectOf(objectType: ObjectType, answer: AnswerFacts): Readonly<Record<string, string>> {
  const { first: firstname, last: lastname } = nameInAnswer(answer);
  const facts = isAboutPerson({ objectType })
    ? { firstname, lastname, company: factOf(answer, 'employerName') }
    : { name: factOf(answer, 'name'), domain: factOf(answer, 'domain') };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([property, value]) => (value === undefined ? [] : [[property, value]])),
  );
}

const EMPLOYER_FIELDS = ['employerDomain', 'employerWebsite'];

/** Returns the domains of the person's employer. */
export function employerDomains(answer: AnswerFacts): string[] {
  return EMPLOYER_FIELDS.flatMap((field) => domainIn(factOf(answer, field)));
}

/** Returns the domains of the answer's company. */
export function domainsInAnswer(answer: AnswerFacts): string[] {
  const domains: readonly unknown[] = Array.isArray(answer['domains']) ? answer['domains'] : [];
  return [answer['domain'], answer['website'], ...domains].flatMap(domainIn);
}

/** Whether the vendor identifies the employer, so that a new name or domain is not another employer. */
export function hasEmployerId(answer: AnswerFacts): boolean {
  return factOf(answer, 'employerId') !== undefined;
}

/**
 * Identifies the employer by the vendor's id. If it has none, by its domain or its name. Answers about the same employer
 * yield the same text.
 */
export function employerOf(answer: AnswerFacts): string | undefined {
  const id = factOf(answer, 'employerId');
  if (id !== undefined) return `id ${id}`;
  const [label] = EMPLOYER_FIELDS.flatMap((field) => domainLabel(factOf(answer, field) ?? '') ?? []);
  const name = factOf(answer, 'employerName');
  return label ?? (name === undefined ? undefined : foldText(name));
}

function domainIn(value: unknown): string[] {
  return typeof value === 'string' && registrableDomain(value) !== undefined ? [value] : [];
}

/**
 * Three checks. `identity`: is the answer about this person or company? `employer`: does the answer's employer agree
 * with the addresses and the associated company? `stated`: does the answer's employer agree with the company texts of
 * the record?
 */
export type Subject = 'identity' | 'employer' | 'stated';

type Strength = 'strong' | 'weak' | 'none';

/** One kind of evidence, with its weight if it agrees and its weight if it differs. */
export interface Evidence {
  readonly name: EvidenceName;
  readonly subject: Subject;
  readonly for: Strength;
  readonly against: Strength;
  readonly compare: (comparison: Comparison) => Agreement;
}

type EvidenceName =
  | 'profile'
  | 'last-name'
  | 'first-name'
  | 'mailbox'
  | 'asked-company'
  | 'country'
  | 'association'
  | 'address'
  | 'website'
  | 'company'
  | 'domain'
  | 'domain-label'
  | 'name'
  | 'page';

/** Code of what contradicts. It says nothing about the values. */
type ContradictionCode = `other-${EvidenceName}` | 'other-full-name' | 'other-under-domain';

export const PERSON_EVIDENCE: readonly Evidence[] = [
  evidence('profile', 'identity', 'strong', 'none', compareProfiles),
  evidence('last-name', 'identity', 'weak', 'strong', (given) => comparePeople(given).last),
  evidence('first-name', 'identity', 'weak', 'strong', (given) => comparePeople(given).first),
  evidence('mailbox', 'identity', 'strong', 'strong', compareMailboxes),
  evidence('asked-company', 'identity', 'none', 'strong', compareAskedCompany),
  evidence('country', 'identity', 'none', 'strong', compareCountries),
  evidence('association', 'employer', 'none', 'strong', compareWithAssociation),
  evidence('address', 'employer', 'none', 'strong', compareBusinessDomains),
  evidence('website', 'stated', 'strong', 'weak', compareWebsites),
  evidence('company', 'stated', 'none', 'weak', compareStatedCompanies),
];

/** A company's website is no evidence, because people enter shops and blogs. */
export const COMPANY_EVIDENCE: readonly Evidence[] = [
  evidence('domain', 'identity', 'strong', 'weak', compareDomains),
  evidence('domain-label', 'identity', 'weak', 'none', compareDomainLabels),
  evidence('name', 'identity', 'weak', 'weak', compareCompanies),
  evidence('country', 'identity', 'none', 'strong', compareCompanyCountries),
  evidence('page', 'identity', 'strong', 'weak', comparePages),
];

function evidence(
  name: EvidenceName,
  subject: Subject,
  speaksFor: Strength,
  against: Strength,
  compare: Evidence['compare'],
): Evidence {
  return { name, subject, for: speaksFor, against, compare };
}

export interface WeighedEvidence {
  readonly evidence: Evidence;
  readonly agreement: Agreement;
}

export type Verdict =
  /** `unknown`: nothing could be compared, or only evidence without weight. */
  | { readonly kind: 'match' | 'unknown'; readonly found: readonly WeighedEvidence[] }
  | {
      readonly kind: 'contradiction';
      /** The name of the evidence that decided. */
      readonly by: EvidenceName;
      readonly reason: ContradictionCode;
      readonly found: readonly WeighedEvidence[];
    };

/** Compares an answer with a record. */
export function weighEvidence(subject: Subject, comparison: Comparison): Verdict {
  const all = isAboutPerson(comparison.record) ? PERSON_EVIDENCE : COMPANY_EVIDENCE;
  const rows = all.filter((each) => each.subject === subject);
  const found = rows.map((evidence) => ({ evidence, agreement: evidence.compare(comparison) }));
  return verdictOf(found);
}

const WEIGHTS: Readonly<Record<Strength, number>> = { strong: 2, weak: 1, none: 0 };

/**
 * Refuses the answer if the evidence against it weighs at least as much as the evidence for it. Unknown evidence has no
 * weight.
 */
export function verdictOf(found: readonly WeighedEvidence[]): Verdict {
  const agreeing = found.filter(({ agreement }) => agreement === 'agree').map(({ evidence }) => evidence);
  const differing = found.filter(({ agreement }) => agreement === 'differ').map(({ evidence }) => evidence);
  const weightFor = sum(agreeing.map((each) => WEIGHTS[each.for]));
  const weightAgainst = sum(differing.map((each) => WEIGHTS[each.against]));
  const [decisive] = differing.filter((each) => each.against !== 'none');
  if (!decisive || weightFor > weightAgainst) return { kind: weightFor > 0 ? 'match' : 'unknown', found };
  return {
    kind: 'contradiction',
    by: decisive.name,
    reason: reasonOf(decisive, { agreeing, differing }),
    found,
  };
}

function reasonOf(
  decisive: Evidence,
  { agreeing, differing }: Readonly<Record<'agreeing' | 'differing', readonly Evidence[]>>,
): ContradictionCode {
  if (agreeing.some(({ name }) => name === 'domain')) return 'other-under-domain';
  const isOtherName = decisive.name === 'last-name' && differing.some(({ name }) => name === 'first-name');
  return isOtherName ? 'other-full-name' : `other-${decisive.name}`;
}

function sum(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}

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

function compareProfiles({ record, answer }: Comparison): Agreement {
  const [known, found] = [textOf(record, 'hs_linkedin_url'), factOf(answer, 'profileUrl')];
  if (known === undefined || found === undefined) return 'unknown';
  return profileKey(known) === profileKey(found) ? 'agree' : 'differ';
}

function comparePeople({ record, answer }: Comparison): ReturnType<typeof compareNames> {
  const known = { first: textOf(record, 'firstname'), last: textOf(record, 'lastname') };
  return compareNames(known, nameInAnswer(answer));
}

/**
 * Compares the answer's name with the addresses. If the record's name agrees, an address with another name does not
 * count. People change their names when they marry, and some use the mailbox of their assistant.
 */
function compareMailboxes(given: Comparison): Agreement {
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
  if (role || words.length < 2 || words.some((word) => !/^[a-z]+$/.test(word))) return false;
  if (words.every((word) => word.length < 3)) return false;
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
function compareAskedCompany(given: Comparison): Agreement {
  const { askedDomain, answer, families } = given;
  if (askedDomain === undefined) return 'unknown';
  const known = [askedDomain, ...businessDomains(given)];
  const relation = relateDomains(known, employerDomains(answer), families);
  return relation === 'label' ? 'unknown' : relation;
}

/**
 * Compares countries after a question by name. A large company may have two people with the same name, but rarely in
 * the same country.
 */
function compareCountries({ record, answer, askedDomain }: Comparison): Agreement {
  const known = countryCode(textOf(record, 'country') ?? '');
  const found = countryCode(factOf(answer, 'countryCode') ?? factOf(answer, 'country') ?? '');
  if (askedDomain === undefined || known === undefined || found === undefined) return 'unknown';
  return known === found ? 'agree' : 'differ';
}

function compareWithAssociation(given: Comparison): Agreement {
  return compareEmployers(given, given.record.companyDomains ?? []);
}

function compareBusinessDomains(given: Comparison): Agreement {
  return compareEmployers(given, businessDomains(given));
}

function businessDomains({ record }: Comparison): string[] {
  return addressesOf(record).flatMap(({ domain, free }) => (free ? [] : [domain]));
}

/** Under another public suffix, the same name is weak evidence: the company's typed name has to agree too. */
function compareEmployers(given: Comparison, known: readonly string[]): Agreement {
  const relation = relateDomains(known, employerDomains(given.answer), given.families);
  if (relation !== 'label') return relation;
  return compareStatedCompanies(given) === 'agree' ? 'agree' : 'differ';
}

/**
 * Compares the website with the employer. People also enter the address of a blog or a shop. So a website that they
 * typed only differs if they also typed another job title.
 */
function compareWebsites(given: Comparison): Agreement {
  const { record, answer, families, isOurs } = given;
  const relation = relateDomains([textOf(record, 'website') ?? ''], employerDomains(answer), families);
  if (relation === 'label') return 'unknown';
  if (relation !== 'differ' || isStatedCompany(given)) return relation === 'differ' ? 'unknown' : relation;
  return isOurs?.('website') || isOtherTitle(given) ? 'differ' : 'unknown';
}

function isOtherTitle({ record, answer }: Comparison): boolean {
  const [known, found] = [textOf(record, 'jobtitle'), factOf(answer, 'title')];
  return known !== undefined && found !== undefined && foldText(known) !== foldText(found);
}

function isStatedCompany({ record, answer }: Comparison): boolean {
  return statedCompany(record) !== undefined && factOf(answer, 'employerName') !== undefined;
}

function compareStatedCompanies({ record, answer }: Comparison): Agreement {
  return compareCompanyTexts(statedCompany(record), factOf(answer, 'employerName'));
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

function compareDomains(given: Comparison): Agreement {
  const relation = relateCompanyDomains(given);
  return relation === 'label' ? 'unknown' : relation;
}

/** Agrees if the domains have one name under two public suffixes, which two companies may have. */
function compareDomainLabels(given: Comparison): Agreement {
  return relateCompanyDomains(given) === 'label' ? 'agree' : 'unknown';
}

/** Compares the countries of companies whose domains only have one name. A company with the same domain may have moved. */
function compareCompanyCountries(given: Comparison): Agreement {
  const { headquarters } = given.answer;
  const place = typeof headquarters === 'object' && headquarters !== null ? headquarters : {};
  const known = countryCode(textOf(given.record, 'country') ?? '');
  const found = countryCode(factOf({ ...place }, 'country') ?? '');
  if (relateCompanyDomains(given) !== 'label' || known === undefined || found === undefined) return 'unknown';
  return known === found ? 'agree' : 'differ';
}

function relateCompanyDomains(given: Comparison): DomainRelation {
  return relateDomains(companyDomainsOf(given), domainsInAnswer(given.answer));
}

/**
 * Compares names. A company's name and its domain can differ. So the names also agree if a domain of the record
 * contains the answer's name.
 */
function compareCompanies(given: Comparison): Agreement {
  const { record, answer } = given;
  const agreement = compareCompanyTexts(
    cleanCompanyName(textOf(record, 'name') ?? '').value,
    factOf(answer, 'name'),
  );
  if (agreement === 'agree' || compareDomains(given) !== 'agree') return agreement;
  const page = profileKey(factOf(answer, 'pageUrl') ?? '')
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
function comparePages(given: Comparison): Agreement {
  const [known, found] = [textOf(given.record, 'linkedin_company_page'), factOf(given.answer, 'pageUrl')].map(
    (page) => (page === undefined ? undefined : profileKey(page)),
  );
  if (known === undefined || found === undefined) return 'unknown';
  if (known === found) return 'agree';
  const areComparable = ![known, found].some((key) => /\/\d+$/.test(key));
  return areComparable && relateCompanyDomains(given) !== 'unknown' ? 'differ' : 'unknown';
}

/** `label`: only the names are equal, under two public suffixes, such as `acme.de` and `acme.com`. */
type DomainRelation = Agreement | 'label';

/** Compares domains. Two domains belong to one company if the registered domain is the same, or if a family has both. */
function relateDomains(
  known: readonly string[],
  found: readonly string[],
  families: readonly (readonly string[])[] = [],
): DomainRelation {
  const usable = known.filter((domain) => registrableDomain(domain) !== undefined);
  if (usable.length === 0 || found.length === 0) return 'unknown';
  const pairs = usable.flatMap((one) => found.map((other) => [one, other] as const));
  const isSame = (a: string, b: string) => registrableDomain(a) === registrableDomain(b);
  const isIn = (family: readonly string[], domain: string) => family.some((each) => isSame(each, domain));
  const agrees = pairs.some(
    ([a, b]) => isSame(a, b) || families.some((family) => isIn(family, a) && isIn(family, b)),
  );
  if (agrees) return 'agree';
  return pairs.some(([a, b]) => domainLabel(a) === domainLabel(b)) ? 'label' : 'differ';
}

export type AddressMisfit = 'role-mailbox' | 'other-person' | 'other-employer';

/** Returns why the address of an answer does not fit the answer's person; `undefined` if it fits. */
export function misfitOfAddress(
  answer: AnswerFacts,
  families: Comparison['families'],
): AddressMisfit | undefined {
  const email = factOf(answer, 'email') ?? '';
  const record = { objectType: 'contacts', properties: { email } } as const;
  const [mail] = addressesOf(record);
  if (mail === undefined) return undefined;
  if (mail.role) return 'role-mailbox';
  if (compareMailboxes({ record, answer }) === 'differ') return 'other-person';
  const isElsewhere =
    !mail.free && relateDomains([mail.domain], employerDomains(answer), families) === 'differ';
  return isElsewhere ? 'other-employer' : undefined;
}

/** Whether an answer fits the record's email, page or domain. Only these are strong evidence. */
export function fitsIdentifier(record: CrmRecord, answer: AnswerFacts): boolean {
  const { found } = weighEvidence('identity', { record, answer });
  return found.some(({ agreement, evidence }) => agreement === 'agree' && evidence.for === 'strong');
}
