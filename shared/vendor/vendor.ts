/** A person and a company as every vendor's answers give them: typed, clean, and absent if unknown. */

type Texts<Name extends string> = { readonly [name in Name]?: string };
type Numbers<Name extends string> = { readonly [name in Name]?: number };
type Lists<Name extends string> = { readonly [name in Name]?: readonly string[] };

/** The rest of an answer, by the vendor's names. It is not cleaned. */
type WithRaw = { readonly raw?: Readonly<Record<string, unknown>> };

const PERSON_TEXTS = [
  ...(['id', 'name', 'firstName', 'lastName', 'title', 'seniority', 'department'] as const),
  ...(['profileUrl', 'email', 'mobilePhone', 'city', 'state', 'country'] as const),
  ...(['countryCode', 'region', 'location', 'employerId', 'employerName', 'employerPageUrl'] as const),
  ...(['employerDomain', 'employerWebsite', 'jobStartDate'] as const),
];
export const PERSON_FIELDS = [...PERSON_TEXTS, 'employerFoundedYear', 'previousCompanies', 'raw'] as const;

/** `jobStartDate` is `YYYY-MM-DD`. */
export type Person = WithRaw &
  Texts<(typeof PERSON_TEXTS)[number]> &
  Numbers<'employerFoundedYear'> & { readonly previousCompanies?: readonly Texts<'name' | 'title'>[] };

type Place = Texts<'city' | 'state' | 'country'>;
type FundingRound = Texts<'type' | 'date'> & Numbers<'amount' | 'valuation'>;

const COMPANY_TEXTS = [
  ...(['id', 'name', 'pageUrl', 'website', 'domain', 'description', 'industry', 'phone'] as const),
  ...(['employeeRange', 'revenueRange', 'logoUrl', 'stockSymbol', 'type'] as const),
];
const COMPANY_LISTS = ['domains', 'industries', 'specialities'] as const;
const COMPANY_PARTS = ['headquarters', 'locations', 'revenue', 'funding', 'technology', 'contacts'] as const;
export const COMPANY_FIELDS = [
  ...COMPANY_TEXTS,
  ...COMPANY_LISTS,
  ...COMPANY_PARTS,
  ...(['foundedYear', 'employeeCount', 'raw'] as const),
];

/** `employeeCount` is an estimate. Amounts of the funding are in USD. `contacts` are some of its people. */
export type Company = WithRaw &
  Texts<(typeof COMPANY_TEXTS)[number]> &
  Numbers<'foundedYear' | 'employeeCount'> &
  Lists<(typeof COMPANY_LISTS)[number]> & {
    readonly headquarters?: Place & Texts<'address' | 'postalCode'>;
    readonly locations?: readonly (Place & { readonly isHeadquarters?: boolean })[];
    readonly revenue?: Numbers<'amount' | 'year'> & Texts<'currency'>;
    readonly funding?: Numbers<'total'> &
      Lists<'investors'> & { readonly lastRound?: FundingRound; readonly rounds?: readonly FundingRound[] };
    readonly technology?: Lists<'categories' | 'tools' | 'integrations'>;
    readonly contacts?: readonly Person[];
  };

/** Values by which a vendor finds a person or a company. All but names are in normal form. */
export const IDENTIFIERS = [
  'profileUrl',
  'email',
  'phone',
  'domain',
  'firstName',
  'lastName',
  'pageUrl',
] as const;
export type Identifier = (typeof IDENTIFIERS)[number];

/** A title and a location identify no person, and only make a match more accurate. */
export type GivenValue = Identifier | 'title' | 'location';
/** `search`: all parameters of a search as JSON, by the vendor's names. */
export type Identifiers = { readonly [name in GivenValue | 'search']?: string };

/** Additional data in an answer; each option costs credits. */
export const QUESTION_OPTIONS = ['email', 'phone', 'funding', 'technology', 'contacts'] as const;
export type QuestionOption = (typeof QUESTION_OPTIONS)[number];

/** Key of a record under which its fields without a usable value are listed, each with the reason. */
export const UNUSABLE = 'unusable';

/** The canonical field that each option adds to an answer. */
export const FIELD_OF_OPTION = {
  email: 'email',
  phone: 'mobilePhone',
  funding: 'funding',
  technology: 'technology',
  contacts: 'contacts',
} as const satisfies Readonly<Record<QuestionOption, keyof Person | keyof Company>>;

/** One kind of question that a vendor answers. */
export interface Lookup {
  /** Name of the lookup for people. */
  readonly label: string;
  /** How the lookup finds its record. */
  readonly words: string;
  readonly about: 'person' | 'company';
  /** Each list is enough. A search needs none of these. */
  readonly needs: readonly (readonly GivenValue[])[];
  /** Values that are sent too if they are known. */
  readonly takes: readonly GivenValue[];
  /** Whether its identifiers belong to one person or company. Several people can share a name or a phone. */
  readonly identifies: boolean;
  /** Canonical fields of an answer without options. */
  readonly yields: readonly string[];
  /** Credits of each option. */
  readonly options: Readonly<Partial<Record<QuestionOption, number>>>;
  readonly price: {
    /** Credits of an answer without options; for a search, of one result. */
    readonly match: number;
    /** What an answer without a match costs: nothing, an answer without options, or one with the options asked for. */
    readonly miss: 'none' | 'base' | 'full';
  };
  /** Only for a search, whose answer is a list of records. */
  readonly search?: {
    /** Credits of one result, with the options of the search. */
    readonly creditsOfResult: (search: string) => number;
    /** Highest number of results that the vendor charges. */
    readonly mostResults: (search: string) => number;
  };
}

/** What a vendor offers, for code that sends no request. */
export interface VendorOffer {
  readonly name: string;
  /** The name in sentences. */
  readonly label: string;
  /**
   * Ends the keys of its questions, of its ledger, rate and breakers: `@` and letters. One vendor of an installation has
   * none. Another mark begins another ledger, so it never changes.
   */
  readonly mark: '' | `@${string}`;
  /** Requests a minute that it allows, until an answer reports another number. */
  readonly ratePerMinute: number;
  readonly lookups: Readonly<Record<string, Lookup>>;
}

/** The vendor's count of requests, from the headers of one answer. */
export interface RateReport {
  /** Requests allowed per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Reset of the window, epoch milliseconds by the vendor's clock. It identifies the window. */
  readonly resetAtMs: number;
  /** Time from the answer to the reset, milliseconds. If `dated`, it is an upper bound. */
  readonly resetInMs: number;
  /** Set if the answer has the vendor's time. Otherwise the reset is only as precise as our clock. */
  readonly dated: boolean;
}

/** The result of one paid request, classified by what it proves about the charge. */
export type CallResult =
  /** Charged as priced. */
  | {
      readonly kind: 'found';
      /** A canonical record; for a search `{ data, companyInfo, pagination }`, and `data` has canonical records. */
      readonly record: Readonly<Record<string, unknown>>;
      /** Number of results, which are charged. */
      readonly results: number;
      /** The vendor's id of the request, if it gave one. */
      readonly requestId?: string | undefined;
      readonly report: RateReport | undefined;
    }
  /** Charged as the policy assumes for "no match". */
  | { readonly kind: 'no-match'; readonly report: RateReport | undefined }
  /** The vendor refused the request; not charged. */
  | {
      readonly kind: 'declined';
      readonly why: 'bad-request' | 'key-refused' | 'wrong-address' | 'out-of-credits' | 'rate-limited';
      readonly report: RateReport | undefined;
      /** Text of the vendor, or our error code. No personal data. */
      readonly reason: string;
      /** Only after a 429: the wait that the vendor requests. */
      readonly retryAfterMs?: number | undefined;
    }
  /** The client refused the question before it was sent. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The request was not sent, which is proved; not charged. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The charge is unknown. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The answer to the free key check, which counts against the vendor's rate like any other request. */
export interface KeyAnswer {
  /** `unknown` if the vendor neither accepted nor refused the key: see `error`. */
  readonly kind: 'accepted' | 'refused' | 'unknown';
  /** What the vendor says about the owner of an accepted key. */
  readonly owner?: Readonly<Record<string, unknown>>;
  readonly error?: Error;
  readonly report: RateReport | undefined;
  /** The answer was a 429. */
  readonly limited: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** One lookup with its values, without the product's own names of lookups. */
export interface VendorQuestion {
  readonly operation: string;
  readonly by: Identifiers;
  readonly options: readonly QuestionOption[];
}

/** The only access to lookups that cost credits. Only the ask gateway calls `ask`. */
export interface VendorClient {
  /** Sends one request. Always resolves within `timeoutMs`. A failure is also a result. */
  ask(question: VendorQuestion, limits: { readonly timeoutMs: number }): Promise<CallResult>;
  checkKey(limits: { readonly timeoutMs: number }): Promise<KeyAnswer>;
}
