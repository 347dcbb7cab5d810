/** A person and a company as every vendor's answers give them: typed, clean, and absent if unknown. */

type Texts<Name extends string> = { readonly [name in Name]?: string };
type Numbers<Name extends string> = { readonly [name in Name]?: number };
type Lists<Name extends string> = { readonly [name in Name]?: readonly string[] };

/** The rest of an answer, by the vendor's names. It is not cleaned. */
type WithRaw = { readonly raw?: Readonly<Record<string, unknown>> };

/** `jobStartDate` is `YYYY-MM-DD`. */
export type Person = WithRaw &
  Texts<'id' | 'name' | 'firstName' | 'lastName' | 'title' | 'seniority' | 'department' | 'jobStartDate'> &
  Texts<'profileUrl' | 'email' | 'mobilePhone'> &
  Texts<'city' | 'state' | 'country' | 'countryCode' | 'region' | 'location'> &
  Texts<'employerId' | 'employerName' | 'employerPageUrl' | 'employerDomain' | 'employerWebsite'> &
  Numbers<'employerFoundedYear'> & { readonly previousCompanies?: readonly Texts<'name' | 'title'>[] };

type Place = Texts<'city' | 'state' | 'country'>;
type FundingRound = Texts<'type' | 'date'> & Numbers<'amount' | 'valuation'>;

/** `employeeCount` is an estimate. Amounts of the funding are in USD. `contacts` are some of its people. */
export type Company = WithRaw &
  Texts<'id' | 'name' | 'pageUrl' | 'website' | 'domain' | 'description' | 'industry' | 'phone'> &
  Texts<'employeeRange' | 'revenueRange' | 'logoUrl' | 'stockSymbol' | 'type'> &
  Numbers<'foundedYear' | 'employeeCount'> &
  Lists<'domains' | 'industries' | 'specialities'> & {
    readonly headquarters?: Place & Texts<'address' | 'postalCode'>;
    readonly locations?: readonly (Place & { readonly isHeadquarters?: boolean })[];
    readonly revenue?: Numbers<'amount' | 'year'> & Texts<'currency'>;
    readonly funding?: Numbers<'total'> &
      Lists<'investors'> & { readonly lastRound?: FundingRound; readonly rounds?: readonly FundingRound[] };
    readonly technology?: Lists<'categories' | 'tools' | 'integrations'>;
    readonly contacts?: readonly Person[];
  };
