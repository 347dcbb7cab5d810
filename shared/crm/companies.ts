/** A contact and the company that it is to belong to. */
export interface Membership {
  readonly contactId: string;
  readonly companyId: string;
}

export interface FoundCompany {
  readonly id: string;
  /** As HubSpot has it. */
  readonly domain: string;
  readonly additional: readonly string[];
  readonly parentId: string | undefined;
}

/** HubSpot's companies, and who belongs to them. Failures of the whole are UpstreamErrors, as those of the `Crm`. */
export interface CrmCompanies {
  /** All that have one of the domains, with `www.` or without; the index lags "a few moments" behind. */
  withDomains(domains: readonly string[]): Promise<readonly FoundCompany[]>;
  /** Of the contacts those that have a company, whichever. */
  ofContacts(contactIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Safe to repeat. @returns by contact what HubSpot refused: its code or category. */
  associate(memberships: readonly Membership[]): Promise<ReadonlyMap<string, string>>;
  /** One attempt: HubSpot knows no unique domain, so a retry searches first. @returns its id. */
  create(company: { readonly name: string; readonly domain: string }): Promise<string>;
}
