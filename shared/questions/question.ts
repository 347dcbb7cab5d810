import { OBJECT_TYPE_ROWS, OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { companyDomain, foldText, profileKey } from '#shared/identity';
import { assert, type Digest } from '#shared/kernel';
import {
  IDENTIFIERS,
  type Identifier,
  type Identifiers,
  type Lookup,
  type QuestionOption,
  VENDORS,
  type VendorOffer,
} from '#shared/vendor';

type LookupsOf<Offer> = Offer extends { readonly lookups: infer Lookups } ? keyof Lookups & string : never;
export type QuestionOperation = LookupsOf<(typeof VENDORS)[number]>;

const OFFERS: readonly VendorOffer[] = VENDORS;
const ROWS = OFFERS.flatMap((vendor) =>
  Object.entries(vendor.lookups).map(([name, lookup]) => [name, { ...lookup, vendor }] as const),
);
/** The lookups of all vendors by name. The order is the default order of the questions about a contact. */
export const LOOKUPS = Object.fromEntries(ROWS) as Readonly<
  Record<QuestionOperation, Lookup & { readonly vendor: VendorOffer }>
>;
export const QUESTION_OPERATIONS = Object.keys(LOOKUPS) as QuestionOperation[];
assert(QUESTION_OPERATIONS.length === ROWS.length, 'no two vendors give a lookup the same name');

/** Returns the lookups of one person or of one company. */
export function lookupsOf(about: Lookup['about']): QuestionOperation[] {
  return QUESTION_OPERATIONS.filter((name) => LOOKUPS[name].about === about && !LOOKUPS[name].search);
}

/** Returns the kinds of identifiers of a person that a lookup sends. */
export function identifiersSent(operation: QuestionOperation): Identifier[] {
  const { about, needs, takes } = LOOKUPS[operation];
  if (about === 'company') return [];
  return IDENTIFIERS.filter((each) => needs.flat().includes(each) || takes.includes(each));
}

/** Returns the company at which a question asks for a person. */
export function askedDomainOf({ operation, by }: Question): string | undefined {
  return LOOKUPS[operation].about === 'person' ? by.domain : undefined;
}

/** Whether the answer is a list of records, so that it answers no question about one record. */
export function isSearch({ operation }: Pick<Question, 'operation'>): boolean {
  return LOOKUPS[operation].search !== undefined;
}

/**
 * Returns the type of the records that a lookup is about; `undefined` for a search, and for a lookup of a vendor that is
 * no longer in use.
 */
export function objectTypeOf(operation: string): ObjectType | undefined {
  const lookup = QUESTION_OPERATIONS.find((name) => name === operation);
  if (lookup === undefined || isSearch({ operation: lookup })) return undefined;
  return OBJECT_TYPES.find((objectType) => OBJECT_TYPE_ROWS[objectType].about === LOOKUPS[lookup].about);
}

/** A question to a vendor in normal form. Equal questions have equal texts. */
export interface Question {
  readonly operation: QuestionOperation;
  readonly by: Identifiers;
  /** Additional data in the answer; each option costs credits. */
  readonly options: readonly QuestionOption[];
}

/**
 * The key of a question's item: an HMAC under the installation secret, so that ledger and logs do not reveal a person,
 * and the vendor's mark. It depends neither on the options nor on the lookup that the vendor has for the identifiers.
 */
export function questionKey({ operation, by }: Pick<Question, 'operation' | 'by'>, digest: Digest): string {
  const { about, vendor } = LOOKUPS[operation];
  const key =
    by.search === undefined
      ? identityKey(about, by, digest)
      : digest.keyed(JSON.stringify(['question', operation, by.search]));
  return `${key}${vendor.mark}`;
}

/** The vendor's mark in a question's key, and in an id that begins with a key. */
const MARK = /@[\w-]+/;

/** Returns the key without the vendor's mark: what a question to any vendor about the same is about. */
export function identityOf(questionKey: string): string {
  return questionKey.replace(MARK, '');
}

/** Returns the vendor of a question, by its key or by an id that begins with its key. */
export function vendorOf(id: string): VendorOffer {
  const [mark = ''] = MARK.exec(id) ?? [];
  return OFFERS.find((vendor) => vendor.mark === mark) ?? VENDORS[0];
}

/** Returns the keys of the questions to each vendor about the same. */
export function keysAtVendors(questionKey: string): string[] {
  return VENDORS.map(({ mark }) => `${identityOf(questionKey)}${mark}`);
}

/** The key of a person or a company with these identifiers. The question to a vendor without a mark has the same key. */
export function identityKey(about: Lookup['about'], by: Identifiers, digest: Digest): string {
  const parts = Object.entries(by)
    .map(([name, value]) => [name, foldText(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return digest.keyed(JSON.stringify(['question', about, parts]));
}

/** Whether an answer with the `answered` options also answers a question with the `wanted` options. */
export function covers(answered: readonly QuestionOption[], wanted: readonly QuestionOption[]): boolean {
  return wanted.every((option) => answered.includes(option));
}

/** Returns the keys of a profile's company: by each domain, and by the page. */
export function companyKeys(record: Readonly<Record<string, unknown>>, digest: Digest): string[] {
  const { domain: primary, domains, pageUrl: page } = record;
  const texts = [primary, ...(Array.isArray(domains) ? domains : [])].filter(
    (each) => typeof each === 'string',
  );
  const identifiers: Identifiers[] = texts
    .flatMap((text) => companyDomain(text) ?? [])
    .map((domain) => ({ domain }));
  if (typeof page === 'string' && page !== '') identifiers.push({ pageUrl: `https://${profileKey(page)}` });
  return [...new Set(identifiers.map((by) => identityKey('company', by, digest)))];
}

/** Returns the highest cost of an attempt, credits. For a search, this is the cost of a full page. */
export function priceOfQuestion(question: Question): number {
  const { search } = LOOKUPS[question.operation];
  return priceOfResult(question) * (search?.mostResults(question.by.search ?? '{}') ?? 1);
}

function priceOfResult({ operation, by, options }: Question): number {
  const { search, price, options: prices } = LOOKUPS[operation];
  if (search) return search.creditsOfResult(by.search ?? '{}');
  return options.reduce((sum, option) => sum + (prices[option] ?? 0), price.match);
}

/**
 * Keeps as many options of the question, in order, as the price covers.
 * @returns `undefined` if the question costs more than the price even without options.
 */
export function withinPrice(question: Question, maxCredits: number): Question | undefined {
  let affordable: Question = { ...question, options: [] };
  if (priceOfQuestion(affordable) > maxCredits) return undefined;
  for (const option of question.options) {
    const more = { ...affordable, options: [...affordable.options, option] };
    if (priceOfQuestion(more) <= maxCredits) affordable = more;
  }
  return affordable;
}

/** Cost of an answer, credits. @param results number of results; 1 except for searches. */
export function priceOfAnswer(question: Question, results: number): number {
  assert(Number.isInteger(results) && results >= 0, 'an answer is priced by its results');
  return priceOfResult(question) * (isSearch(question) ? results : 1);
}

/**
 * Assumed cost of "no match", credits. A search without a list counts as one result.
 * @param cost the policy's own assumption; otherwise the price list counts
 */
export function priceOfMiss(question: Question, cost?: Lookup['price']['miss']): number {
  const { match, miss } = LOOKUPS[question.operation].price;
  if ((cost ?? miss) === 'none') return 0;
  return (cost ?? miss) === 'base' ? match : priceOfResult(question);
}
