/** A contact and the company to associate it with. */
export interface Membership {
  readonly contactId: string;
  readonly companyId: string;
}

export interface FoundCompany {
  readonly id: string;
  /** The domain in HubSpot, not normalised. */
  readonly domain: string;
  readonly additional: readonly string[];
  readonly parentId: string | undefined;
}

/** HubSpot's companies and their contacts. If a whole request fails, methods throw UpstreamError, like those of `Crm`. */
export interface CrmCompanies {
  /** Finds companies by domains, with or without `www.`. HubSpot's search index lags "a few moments" behind. */
  withDomains(domains: readonly string[]): Promise<readonly FoundCompany[]>;
  /** Returns the contacts that have a company. */
  ofContacts(contactIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Safe to repeat. @returns HubSpot's code or category of each refusal, by contact. */
  associate(memberships: readonly Membership[]): Promise<ReadonlyMap<string, string>>;
  /** Makes one attempt. HubSpot allows several companies with a domain, so a retry has to search first. @returns the company's id. */
  create(company: { readonly name: string; readonly domain: string }): Promise<string>;
}
