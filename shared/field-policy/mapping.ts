import type { DefinedOption, PropertyDefinition, PropertyDefinitions } from '#shared/crm';
import {
  type AddressMisfit,
  countryCode,
  countryName,
  countrySpellings,
  hasStateCodes,
  misfitOfAddress,
  stateCode,
  toDomain,
  toE164,
  toUrl,
  wordsOf,
} from '#shared/identity';
import { rowText, sentenceRow, type TextParamsOf, unreachable } from '#shared/kernel';
import { UNUSABLE } from '#shared/vendor';
import {
  type AnswerPath,
  answerKeyOf,
  type Conversion,
  epochOf,
  type FieldRule,
  holdsSeveral,
  keysOfPath,
  toCalendarDate,
} from './field-rule.ts';

/**
 * Finds the option for a text: by value, by label, by the words of the value, or by the tables of industries,
 * seniorities and technologies. @returns the option's internal value; `undefined` if the account has no such option.
 */
export function matchOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const options = defined.filter(({ hidden }) => !hidden);
  const words = wordsOf(text).join(' ');
  const joined = wordsOf(text).join('');
  const tableValues = [industryOption(text), SENIORITIES.get(words)];
  // Words are compared without spaces, because HubSpot's option for `Cloudflare` is `cloud_flare`.
  const tools = TOOLS.get(joined) ?? [joined];
  const match =
    options.find(({ value }) => value === text) ??
    options.find(({ label }) => wordsOf(label).join(' ') === words && words !== '') ??
    options.find(({ value }) => wordsOf(value).join(' ') === words && words !== '') ??
    options.find(({ value }) => tableValues.includes(value)) ??
    options.find(({ label, value }) =>
      [label, value].some((name) => words !== '' && tools.includes(wordsOf(name).join(''))),
    );
  return match?.value;
}

/** Smallest share of common words between an option and a text. */
const MIN_LIKENESS = 0.5;

/** Returns the label of the most similar option, as a hint for a person. The option is never written. */
export function nearestOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const words = new Set(wordsOf(text).map(stemOf));
  const [nearest] = defined
    .filter(({ hidden }) => !hidden)
    .map(({ label, value }) => ({ label: label || value, likeness: likeness(words, label || value) }))
    .filter((one) => one.likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness);
  return nearest?.label;
}

/** Computes twice the common words divided by all words: 1 if all words are equal, 0 if none are. */
function likeness(words: ReadonlySet<string>, label: string): number {
  const others = new Set(wordsOf(label).map(stemOf));
  return (2 * words.intersection(others).size) / Math.max(1, words.size + others.size);
}

/** Returns the first letters, which are the same for `manufacturing`, `manufacture` and `manufacturers`. */
function stemOf(word: string): string {
  return word.slice(0, 7);
}

// Maps the vendor's labels (documented: C-Team, C-Suite, VP, Director, Manager, Senior, Staff, Intern) to the internal
// values of HubSpot's `hs_seniority`. Labels with the same spelling need no entry.
const SENIORITIES: ReadonlyMap<string, string> = new Map([
  ['c team', 'executive'],
  ['c suite', 'executive'],
  ['c level', 'executive'],
  ['vice president', 'vp'],
  ['head', 'director'],
  ['staff', 'employee'],
  ['intern', 'entry'],
  ['founder', 'owner'],
]);

/** The vendor's documented labels. */
export const KNOWN_SENIORITIES = ['C-Team', 'VP', 'Director', 'Manager', 'Senior', 'Staff', 'Intern'];

// A tool may have several names, and HubSpot's `web_technologies` has older names. Each entry has the names of one
// tool.
const TOOLS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['Amazon Web Services', 'AWS'],
    ['Google Analytics', 'Google Universal Analytics', 'Google Analytics 4'],
    ['Google Cloud', 'Google Cloud Platform', 'GCP'],
    ['Google Workspace', 'G Suite', 'Google Apps', 'Google Apps for Business'],
    ['Microsoft Azure', 'Azure', 'Windows Azure'],
    ['Microsoft Dynamics', 'Microsoft Dynamics 365', 'Dynamics CRM', 'Microsoft Dynamics CRM'],
    ['Microsoft 365', 'Office 365', 'Microsoft Office 365', 'Office 365 Mail', 'Microsoft Exchange Online'],
    ['Salesforce', 'Salesforce.com', 'Salesforce CRM'],
    ['Zoho CRM', 'Zoho'],
  ].flatMap((names) => {
    const joined = names.map((name) => wordsOf(name).join(''));
    return joined.map((name) => [name, joined] as const);
  }),
);

// HubSpot's company property `industry` has the professional network's older industry names as its 147 options. An
// older name matches an option by its label or its words. This table is for newer names and for common short names. The
// keys are HubSpot's internal values.
const NAMES_BY_OPTION: Readonly<Record<string, readonly string[]>> = {
  ALTERNATIVE_DISPUTE_RESOLUTION: ['Mediation and Arbitration'],
  ANIMATION: ['Animation and Post-production'],
  APPAREL_FASHION: ['Retail Apparel and Fashion', 'Apparel Manufacturing', 'Fashion', 'Apparel'],
  ARTS_AND_CRAFTS: ['Artists and Writers'],
  AUTOMOTIVE: ['Motor Vehicle Manufacturing', 'Automotive Industry', 'Motor Vehicle Parts Manufacturing'],
  AVIATION_AEROSPACE: ['Aviation and Aerospace Component Manufacturing', 'Aerospace'],
  AIRLINES_AVIATION: ['Airlines and Aviation', 'Airlines', 'Aviation'],
  BANKING: ['Banks'],
  BIOTECHNOLOGY: ['Biotechnology Research', 'Biotech'],
  BROADCAST_MEDIA: ['Broadcast Media Production and Distribution', 'Broadcasting'],
  BUILDING_MATERIALS: ['Wholesale Building Materials', 'Retail Building Materials and Garden Equipment'],
  BUSINESS_SUPPLIES_AND_EQUIPMENT: ['Retail Office Equipment', 'Retail Office Supplies and Gifts'],
  CHEMICALS: ['Chemical Manufacturing'],
  CIVIC_SOCIAL_ORGANIZATION: ['Civic and Social Organizations'],
  COMMERCIAL_REAL_ESTATE: ['Leasing Non-residential Real Estate'],
  COMPUTER_HARDWARE: ['Computer Hardware Manufacturing'],
  COMPUTER_NETWORKING: ['Computer Networking Products'],
  COMPUTER_NETWORK_SECURITY: ['Computer and Network Security', 'Cybersecurity', 'Cyber Security'],
  COMPUTER_SOFTWARE: [
    'Software Development',
    'Software',
    'SaaS',
    'Embedded Software Products',
    'Desktop Computing Software Products',
    'Mobile Computing Software Products',
    'Business Intelligence Platforms',
  ],
  CONSUMER_ELECTRONICS: [
    'Computers and Electronics Manufacturing',
    'Retail Appliances, Electrical and Electronic Equipment',
  ],
  CONSUMER_GOODS: ['Manufacturing Consumer Goods'],
  COSMETICS: ['Personal Care Product Manufacturing'],
  DAIRY: ['Dairy Product Manufacturing'],
  DEFENSE_SPACE: ['Defense and Space Manufacturing', 'Defence and Space'],
  DESIGN: ['Design Services'],
  E_LEARNING: ['E-Learning Providers', 'eLearning'],
  EDUCATION_MANAGEMENT: ['Education Administration Programs', 'Education'],
  ELECTRICAL_ELECTRONIC_MANUFACTURING: [
    'Appliances, Electrical, and Electronics Manufacturing',
    'Electrical Equipment Manufacturing',
  ],
  ENTERTAINMENT: ['Entertainment Providers'],
  EXECUTIVE_OFFICE: ['Executive Offices'],
  FARMING: ['Agriculture', 'Farming, Ranching, Forestry'],
  FINE_ART: ['Fine Arts Schools'],
  FISHERY: ['Fisheries'],
  FOOD_BEVERAGES: ['Food and Beverage Services', 'Food and Beverage'],
  FOOD_PRODUCTION: ['Food and Beverage Manufacturing'],
  FUND_RAISING: ['Fundraising'],
  FURNITURE: ['Furniture and Home Furnishings Manufacturing', 'Retail Furniture and Home Furnishings'],
  GAMBLING_CASINOS: ['Gambling Facilities and Casinos'],
  GLASS_CERAMICS_CONCRETE: ['Glass, Ceramics and Concrete Manufacturing'],
  GOVERNMENT_RELATIONS: ['Government Relations Services'],
  GOVERNMENT_ADMINISTRATION: ['Government'],
  HEALTH_WELLNESS_AND_FITNESS: ['Wellness and Fitness Services'],
  HOSPITAL_HEALTH_CARE: ['Hospitals and Health Care', 'Hospitals', 'Health Care', 'Healthcare'],
  HUMAN_RESOURCES: ['Human Resources Services'],
  IMPORT_AND_EXPORT: ['Wholesale Import and Export'],
  INDIVIDUAL_FAMILY_SERVICES: ['Individual and Family Services'],
  INDUSTRIAL_AUTOMATION: ['Automation Machinery Manufacturing'],
  INFORMATION_TECHNOLOGY_AND_SERVICES: [
    'IT Services and IT Consulting',
    'Information Technology',
    'IT Services',
    'Technology, Information and Media',
    'IT System Custom Software Development',
  ],
  INTERNET: ['Technology, Information and Internet', 'Internet Publishing', 'Internet Marketplace Platforms'],
  JUDICIARY: ['Administration of Justice'],
  LAW_PRACTICE: ['Law Firms'],
  LEGISLATIVE_OFFICE: ['Legislative Offices'],
  LEISURE_TRAVEL_TOURISM: ['Travel Arrangements', 'Travel and Tourism'],
  LOGISTICS_AND_SUPPLY_CHAIN: [
    'Transportation, Logistics, Supply Chain and Storage',
    'Logistics',
    'Transportation and Logistics',
    'Transportation, Logistics and Storage',
    'Storage and Logistics',
  ],
  LUXURY_GOODS_JEWELRY: ['Retail Luxury Goods and Jewelry'],
  MACHINERY: ['Machinery Manufacturing'],
  MANAGEMENT_CONSULTING: ['Business Consulting and Services', 'Consulting'],
  MARITIME: ['Maritime Transportation'],
  MARKETING_AND_ADVERTISING: ['Advertising Services', 'Marketing Services', 'Advertising', 'Marketing'],
  MECHANICAL_OR_INDUSTRIAL_ENGINEERING: ['Industrial Machinery Manufacturing', 'Engineering Services'],
  MEDICAL_DEVICES: ['Medical Equipment Manufacturing', 'Medical Device'],
  MEDICAL_PRACTICE: ['Medical Practices', 'Physicians'],
  MILITARY: ['Armed Forces'],
  MINING_METALS: ['Mining', 'Primary Metal Manufacturing'],
  MOTION_PICTURES_AND_FILM: ['Movies, Videos, and Sound', 'Movies and Sound Recording'],
  MUSEUMS_AND_INSTITUTIONS: ['Museums, Historical Sites, and Zoos', 'Museums'],
  MUSIC: ['Musicians', 'Sound Recording'],
  NANOTECHNOLOGY: ['Nanotechnology Research'],
  NEWSPAPERS: ['Newspaper Publishing'],
  NON_PROFIT_ORGANIZATION_MANAGEMENT: [
    'Non-profit Organizations',
    'Nonprofit Organization Management',
    'Nonprofit',
    'Non-profit',
  ],
  OIL_ENERGY: ['Oil and Gas', 'Energy', 'Oil, Gas, and Mining'],
  ONLINE_MEDIA: ['Online Audio and Video Media', 'Internet News'],
  OUTSOURCING_OFFSHORING: ['Outsourcing and Offshoring Consulting'],
  PACKAGE_FREIGHT_DELIVERY: ['Freight and Package Transportation'],
  PACKAGING_AND_CONTAINERS: ['Packaging and Containers Manufacturing'],
  PAPER_FOREST_PRODUCTS: ['Paper and Forest Product Manufacturing'],
  PHARMACEUTICALS: ['Pharmaceutical Manufacturing', 'Pharma'],
  PHILANTHROPY: ['Philanthropic Fundraising Services'],
  PLASTICS: ['Plastics Manufacturing', 'Plastics and Rubber Product Manufacturing'],
  POLITICAL_ORGANIZATION: ['Political Organizations'],
  PRIMARY_SECONDARY_EDUCATION: ['Primary and Secondary Education'],
  PRINTING: ['Printing Services'],
  PUBLIC_POLICY: ['Public Policy Offices'],
  PUBLIC_RELATIONS_AND_COMMUNICATIONS: ['Public Relations and Communications Services', 'Public Relations'],
  PUBLISHING: ['Book and Periodical Publishing', 'Book Publishing'],
  RAILROAD_MANUFACTURE: ['Railroad Equipment Manufacturing'],
  REAL_ESTATE: ['Real Estate Agents and Brokers', 'Leasing Residential Real Estate'],
  RECREATIONAL_FACILITIES_AND_SERVICES: ['Recreational Facilities'],
  RENEWABLES_ENVIRONMENT: [
    'Renewable Energy',
    'Renewable Energy Semiconductor Manufacturing',
    'Services for Renewable Energy',
  ],
  RESEARCH: ['Research Services'],
  RESTAURANTS: ['Food Service'],
  RETAIL: ['Retail Trade', 'E-commerce', 'Online and Mail Order Retail'],
  SECURITY_AND_INVESTIGATIONS: ['Security Guards and Patrol Services', 'Security Systems Services'],
  SEMICONDUCTORS: ['Semiconductor Manufacturing', 'Semiconductor'],
  SPORTING_GOODS: ['Sporting Goods Manufacturing'],
  SPORTS: ['Spectator Sports', 'Sports Teams and Clubs'],
  SUPERMARKETS: ['Retail Groceries'],
  TELECOMMUNICATIONS: ['Telecommunications Carriers', 'Telecom'],
  TEXTILES: ['Textile Manufacturing'],
  TOBACCO: ['Tobacco Manufacturing'],
  TRANSPORTATION_TRUCKING_RAILROAD: [
    'Truck Transportation',
    'Ground Passenger Transportation',
    'Transportation',
    'Rail Transportation',
  ],
  VENTURE_CAPITAL_PRIVATE_EQUITY: [
    'Venture Capital and Private Equity Principals',
    'Venture Capital',
    'Private Equity',
  ],
  VETERINARY: ['Veterinary Services'],
  WAREHOUSING: ['Warehousing and Storage'],
  WINE_AND_SPIRITS: ['Beverage Manufacturing', 'Wineries'],
  WIRELESS: ['Wireless Services'],
};

const optionByName = new Map(
  Object.entries(NAMES_BY_OPTION).flatMap(([option, names]) =>
    names.map((name) => [wordsOf(name).join(' '), option]),
  ),
);

/** One name for each option in the table. */
export const KNOWN_INDUSTRIES: readonly string[] = Object.values(NAMES_BY_OPTION).flatMap(
  ([name]) => name ?? [],
);

/** Returns HubSpot's internal value for a newer industry name; `undefined` for names that are not in the table. */
export function industryOption(name: string): string | undefined {
  return optionByName.get(wordsOf(name).join(' '));
}

/** Longest string that HubSpot stores in a property (properties guide). */
const STRING_MAX_LENGTH = 65_536;

export interface ConversionInput {
  /** The value in the answer, of any JSON type. */
  readonly value: unknown;
  readonly convert: Conversion;
  readonly definition: PropertyDefinition;
  /** ISO code of the record's country, for states and for phones in national form. */
  readonly country?: string | undefined;
}

/**
 * Result of a conversion. `value`: a value that fits the property and is not empty. `left` has a reason for each member
 * of a list that does not fit. `unknown`: the vendor has no value. `unfit`: why the vendor's value cannot be written.
 */
type Converted =
  | { readonly kind: 'value'; readonly value: string; readonly left: readonly Misfit[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unfit'; readonly why: Misfit };

/** A misfit whose text has no parameters. */
type PlainMisfit = Exclude<MisfitCode, 'unusable' | 'no-option' | 'unwritten-type' | 'other-currency'>;

/** Converts a value of an answer to the text of the account's property. */
export function convertValue(input: ConversionInput): Converted {
  const texts = textsOf(input.value).filter((text) => text.trim() !== '');
  if (texts.length === 0) return isKnown(input.value) ? unfit('no-plain-value') : { kind: 'unknown' };
  const [text] = texts;
  if (input.convert === 'list') return fitList(texts, input.definition);
  if (text === undefined || texts.length > 1) return unfit('unwanted-list');
  const result = convertText(text, input);
  return typeof result === 'string' ? fitType(result, input) : result;
}

function convertText(text: string, { convert, country }: ConversionInput): string | Converted {
  switch (convert) {
    case 'text':
    case 'option':
    case 'list':
      return text;
    case 'number':
      return plainNumber(text) ?? unfit('not-a-number');
    case 'year':
      return /^[12]\d{3}$/.test(text) ? text : unfit('not-a-year');
    case 'phone':
      return toE164(text, country) ?? unfit('not-a-phone');
    case 'email':
      return /^[^\s@;,:<>"]+@[^\s@;,]+\.[^\s@;,.]+$/.test(text) ? text.toLowerCase() : unfit('not-an-email');
    case 'domain':
      return toDomain(text) ?? unfit('not-a-domain');
    case 'url':
      return toUrl(text) ?? unfit('not-an-address');
    case 'date':
      return toCalendarDate(text) ?? unfit('not-a-date');
    case 'is-public':
      return isPublic(text);
    case 'country-code':
      return countryCode(text) ?? unfit('unknown-country');
    case 'state-code':
      if (!hasStateCodes(country)) return { kind: 'unknown' };
      return stateCode(text, country) ?? unfit('unknown-state');
    case 'country-name':
      return countryName(countryCode(text) ?? '') ?? unfit('unknown-country');
    default:
      return unreachable(convert);
  }
}

/** Checks the converted text against the property's type in the account. */
function fitType(text: string, { definition, convert }: ConversionInput): Converted {
  switch (definition.type) {
    case 'string':
      return text.length <= STRING_MAX_LENGTH ? fits(text) : unfit('too-long');
    case 'number':
      return plainNumber(text) === undefined ? unfit('not-a-number') : fits(text);
    case 'phone_number':
      return toE164(text) === undefined ? unfit('not-a-phone') : fits(text);
    case 'date': {
      const date = toCalendarDate(text);
      return date === undefined ? unfit('not-a-date') : fits(date);
    }
    case 'datetime': {
      const ms = epochOf(text);
      return ms === undefined ? unfit('not-a-date') : fits(new Date(ms).toISOString());
    }
    case 'bool':
      return fitBoolean(text);
    case 'enumeration':
      return fitOption(text, { definition, convert });
    default:
      return unfit(misfit('unwritten-type', { type: definition.type }));
  }
}

const COUNTRIES: ReadonlySet<string> = new Set(['country-code', 'country-name']);

function fitOption(
  text: string,
  { definition, convert }: Pick<ConversionInput, 'definition' | 'convert'>,
): Converted {
  const country = COUNTRIES.has(convert) ? countryCode(text) : undefined;
  const spellings = country === undefined ? [text] : [text, ...countrySpellings(country)];
  for (const spelling of spellings) {
    const option = matchOption(spelling, definition.options);
    if (option !== undefined) return fits(option);
  }
  const sameCountry =
    country && definition.options.find(({ label, hidden }) => !hidden && countryCode(label) === country);
  return sameCountry ? fits(sameCountry.value) : unfit(noOption(text, definition));
}

function fitList(texts: readonly string[], definition: PropertyDefinition): Converted {
  const members = texts.flatMap((text) => text.split(';')).flatMap((member) => member.trim() || []);
  if (definition.type === 'string')
    return fitType(members.join('; '), { value: '', convert: 'text', definition });
  if (!holdsSeveral(definition)) return unfit('list-for-one-value');
  const options = members.map((member) => matchOption(member, definition.options));
  const found = options.filter((option) => option !== undefined);
  const unmatched = members.filter((_, index) => options[index] === undefined);
  const left = unmatched.map((member) => noOption(member, definition));
  if (found.length === 0) return unfit(left[0] ?? 'empty-list');
  return { kind: 'value', value: [...new Set(found)].join(';'), left };
}

function fitBoolean(text: string): Converted {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'yes') return fits('true');
  if (word === 'false' || word === 'no') return fits('false');
  return unfit('not-yes-or-no');
}

/**
 * Returns the texts of a value. A number or a boolean is spelled plainly, a list yields its members, an object yields
 * nothing.
 */
function textsOf(value: unknown): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [String(value)] : [];
  if (typeof value === 'string' || typeof value === 'boolean') return [String(value)];
  return Array.isArray(value)
    ? value.flatMap((member) => (Array.isArray(member) ? [] : textsOf(member)))
    : [];
}

function isKnown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((member) => typeof member === 'object' && member !== null);
  return (typeof value === 'object' && value !== null) || typeof value === 'number';
}

/** Reads a company's type, such as `Public Company` or `Privately Held`. */
function isPublic(text: string): string | Converted {
  if (/\bpublic(?:ly)?\b/i.test(text)) return 'true';
  return /\b(?:privat|self|partner|propriet|non-?profit)/i.test(text)
    ? 'false'
    : unfit('not-public-or-private');
}

function plainNumber(text: string): string | undefined {
  return /^-?\d{1,21}(\.\d+)?$/.test(text) ? text : undefined;
}

function noOption(text: string, { options }: PropertyDefinition): Misfit {
  return misfit('no-option', { text, nearest: nearestOption(text, options) });
}

function fits(value: string): Converted {
  return { kind: 'value', value, left: [] };
}

function unfit(why: Misfit | PlainMisfit): Converted {
  return { kind: 'unfit', why: typeof why === 'string' ? misfit(why, {} as never) : why };
}

/** Why a value of an answer is not written, by code. */
export const MISFITS = {
  unusable: sentenceRow<{ why: string }>(
    { why: 'masked' },
    ({ why }) => `the vendor's value is not usable (${why})`,
  ),
  'role-mailbox': 'the address of an office or a machine, not of a person',
  'other-person': "the address has another person's name",
  'other-employer': 'the address belongs to another employer than the answer names',
  'no-plain-value': 'the answer holds no plain value',
  'unwanted-list': 'the answer holds a list where one value is wanted',
  'list-for-one-value': 'a list, and the property holds one value',
  'empty-list': 'an empty list',
  'not-a-number': 'a range or a text, not a number',
  'not-a-year': 'not a year',
  'not-a-phone': 'not a phone number that can be completed',
  'not-an-email': 'not an email address',
  'not-a-domain': 'not an internet domain',
  'not-an-address': 'not a web address',
  'not-a-date': 'not a date',
  'not-yes-or-no': 'neither yes nor no',
  'not-public-or-private': 'neither public nor private',
  'unknown-country': 'not a known country',
  'unknown-state': 'not a known state of its country',
  'too-long': 'longer than HubSpot stores',
  'no-option': sentenceRow<{ text: string; nearest: string | undefined }>(
    { text: 'Widgets', nearest: 'WIDGETRY' },
    ({ text, nearest }) =>
      `HubSpot has no option for "${text}"${nearest === undefined ? '' : `; the nearest is "${nearest}"`}`,
  ),
  'unwritten-type': sentenceRow({ type: 'json' }, ({ type }) => `HubSpot type ${type} is not written`),
  'no-property': 'HubSpot has no such property',
  'read-only-property': 'the property is read-only',
  'unknown-currency': 'the currency of the account is not known',
  'other-currency': sentenceRow<{ found: string | undefined; currency: string }>(
    { found: 'USD', currency: 'EUR' },
    ({ found, currency }) => `an amount in ${found ?? 'no currency'}, and the account counts in ${currency}`,
  ),
} as const;

export type MisfitCode = keyof typeof MISFITS;

/** A value that does not fit, with the reason for a person. */
export interface Misfit {
  readonly code: MisfitCode;
  readonly reason: string;
}

function misfit<Code extends MisfitCode>(code: Code, params: TextParamsOf<(typeof MISFITS)[Code]>): Misfit {
  return { code, reason: rowText(MISFITS[code], params) };
}

/** Words for a code alone. The words of some codes would need values of the answer. */
export function misfitWords(code: string): string {
  const row = Object.hasOwn(MISFITS, code) ? MISFITS[code as MisfitCode] : undefined;
  return typeof row === 'string' ? row : "the answer's value does not fit";
}

/** A value of an answer for a property, in the property's type. A later step decides whether the value is written. */
export interface Proposal {
  readonly property: string;
  /** Never empty. A missing value makes no proposal. */
  readonly value: string;
  readonly rule: FieldRule;
  /** Set if the property has multiple choices. The proposed choices are added to the record's choices. */
  readonly appends?: boolean | undefined;
}

/** A value that is not written, with a reason for a person. */
export interface Dropped extends Misfit {
  readonly property: string;
}

export interface Mapping {
  /** At most one proposal for a property, in the order of the rules. */
  readonly proposed: Proposal[];
  readonly dropped: Dropped[];
}

/** A canonical record about a contact or a company. */
export type EnrichmentAnswer = Readonly<Record<string, unknown>>;

export interface MappingInput {
  readonly rules: readonly FieldRule[];
  readonly answer: EnrichmentAnswer;
  /** Definitions of the record's object type. */
  readonly definitions: PropertyDefinitions;
  /** ISO code of the account's currency. If it is unknown, no amounts are written. */
  readonly currency?: string | undefined;
  /** Groups of domains that belong to one employer. */
  readonly families?: readonly (readonly string[])[] | undefined;
}

/** Maps an answer to the account's properties by the policy's rules. */
export function mapAnswer({ rules, answer, definitions, currency, families }: MappingInput): Mapping {
  const mapping: Mapping = { proposed: [], dropped: [] };
  const country = countryOf(answer);
  const addressMisfit = misfitOfAddress(answer, families);
  for (const [property, rulesOfProperty] of Map.groupBy(rules, (rule) => rule.property)) {
    const target = writable(definitions.get(property));
    if (target.kind === 'obstacle') {
      if (!rulesOfProperty.every(({ optional }) => optional))
        mapping.dropped.push({ property, ...target.why });
      continue;
    }
    const { proposed, dropped } = firstValue(rulesOfProperty, {
      answer,
      definition: target.definition,
      country,
      currency,
      addressMisfit,
    });
    mapping.proposed.push(...proposed);
    mapping.dropped.push(...dropped);
  }
  return mapping;
}

interface Context {
  readonly answer: EnrichmentAnswer;
  readonly definition: PropertyDefinition;
  readonly country: string | undefined;
  readonly currency: string | undefined;
  /** Why the bought address does not fit the person. */
  readonly addressMisfit: AddressMisfit | undefined;
}

/** Uses the first rule of a property that yields a value. If no rule does, returns the first reason. */
function firstValue(rules: readonly FieldRule[], context: Context): Mapping {
  const reasons: Dropped[] = [];
  const { definition } = context;
  for (const rule of rules) {
    const { property } = rule;
    const value = valueAt(context.answer, rule.from);
    const result = convertValue({ value, convert: rule.convert, definition, country: context.country });
    if (result.kind === 'unknown') {
      const why = unusableAt(context.answer, rule.from);
      if (why !== undefined) reasons.push({ property, ...misfit('unusable', { why }) });
      continue;
    }
    const condition = conditionOf(rule, context);
    if (condition !== undefined) reasons.push({ property, ...condition });
    else if (result.kind === 'unfit') reasons.push({ property, ...result.why });
    else {
      const proposal = { property, value: result.value, rule, appends: holdsSeveral(definition) };
      return { proposed: [proposal], dropped: result.left.map((why) => ({ property, ...why })) };
    }
  }
  return { proposed: [], dropped: reasons.slice(0, 1) };
}

type Writable =
  | { readonly kind: 'writable'; readonly definition: PropertyDefinition }
  | { readonly kind: 'obstacle'; readonly why: Misfit };

function writable(definition: PropertyDefinition | undefined): Writable {
  if (definition === undefined) return { kind: 'obstacle', why: misfit('no-property', {}) };
  if (definition.readOnly) return { kind: 'obstacle', why: misfit('read-only-property', {}) };
  return { kind: 'writable', definition };
}

/** Why the rule does not apply to this answer; `undefined` if it applies. */
function conditionOf(
  { from, currency: rule }: FieldRule,
  { answer, currency, addressMisfit }: Context,
): Misfit | undefined {
  if (addressMisfit !== undefined && answerKeyOf({ from }) === 'email') return misfit(addressMisfit, {});
  if (rule === undefined) return undefined;
  const found = 'is' in rule ? rule.is : textAt(answer, rule.from)?.toUpperCase();
  if (currency === undefined) return misfit('unknown-currency', {});
  return found === currency ? undefined : misfit('other-currency', { found, currency });
}

function countryOf(answer: EnrichmentAnswer): string | undefined {
  const text =
    textAt(answer, 'countryCode') ?? textAt(answer, 'headquarters/country') ?? textAt(answer, 'country');
  return text === undefined ? undefined : countryCode(text);
}

/** Returns why the vendor's value at a path, or the object that holds it, was not usable. */
function unusableAt(answer: EnrichmentAnswer, path: AnswerPath): string | undefined {
  const keys = keysOfPath(path);
  const [object = ''] = keys;
  return textAt(answer, [UNUSABLE, keys.join('/')]) ?? textAt(answer, [UNUSABLE, object]);
}

/** Returns the value at a path of an answer; `undefined` if any key of the path is missing. */
function valueAt(answer: unknown, path: AnswerPath): unknown {
  return keysOfPath(path).reduce<unknown>((value, key) => {
    // Only own keys are read, so that a path such as "constructor" finds nothing.
    const own = typeof value === 'object' && value !== null && Object.getOwnPropertyDescriptor(value, key);
    return own ? own.value : undefined;
  }, answer);
}

/** Returns a trimmed text of the answer; `undefined` if the answer has none at the path. */
export function textAt(answer: unknown, path: AnswerPath): string | undefined {
  const value = valueAt(answer, path);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/**
 * Finds paths of an answer, such as `funding/investors`, whose values no rule uses. These values are paid for, but not
 * written. A rule with `never` counts as a use. A list is one value.
 */
export function leftoversOf(
  answer: Readonly<Record<string, unknown>>,
  rules: readonly FieldRule[],
): string[] {
  const usedPaths = rules.flatMap(pathsOf).map(nameOf);
  const { [UNUSABLE]: _, ...values } = answer;
  return leavesOf(values, []).filter(
    (path) => !usedPaths.some((one) => path === one || path.startsWith(`${one}/`)),
  );
}

/** Paths of all values in an answer. */
function leavesOf(value: unknown, path: readonly string[]): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) return [nameOf(path)];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function pathsOf({ from, currency }: FieldRule): AnswerPath[] {
  return [from, ...(currency && 'from' in currency ? [currency.from] : [])];
}

function nameOf(path: AnswerPath): string {
  return keysOfPath(path).join('/');
}
