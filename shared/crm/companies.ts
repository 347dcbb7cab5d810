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

/**
 * HubSpot's companies and their contacts. If a whole request fails, methods throw UpstreamError, like the methods of
 * `Crm`.
 */
export interface CrmCompanies {
  /** Finds companies by domains, with or without `www.`. HubSpot's search index is "a few moments" late. */
  withDomains(domains: readonly string[]): Promise<readonly FoundCompany[]>;
  /** Returns the contacts that have a company. */
  ofContacts(contactIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Safe to repeat. @returns HubSpot's code or category of each refusal, by contact. */
  associate(memberships: readonly Membership[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Creates a company in one attempt. HubSpot allows several companies with the same domain, so search first before a
   * retry.
   * @returns the company's id.
   */
  create(company: { readonly name: string; readonly domain: string }): Promise<string>;
}
