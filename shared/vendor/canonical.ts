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
