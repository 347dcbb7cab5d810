import type { CrmRecord } from '#shared/crm/crm-record.ts';
import type { Proposal } from '#shared/field-policy/mapping/map-answer.ts';
import type { WriteDecision } from '#shared/field-policy/overwrite.ts';
import { areDifferentCompanies } from '#shared/identity/company-names.ts';
import { domainLabel } from '#shared/identity/web-address.ts';

/** What a contact says of where and as what the person works. */
const EMPLOYER: ReadonlySet<string> = new Set([
  'company',
  'website',
  'jobtitle',
  'start_date',
  'hs_seniority',
]);

/**
 * Employer properties move together or not at all: where the answer names another employer than the record, and one of
 * them is a person's, none of them is written.
 */
export function togetherOrNot(
  { properties }: CrmRecord,
  proposals: readonly Proposal[],
  { writes, kept }: WriteDecision,
): { readonly writes: Readonly<Record<string, string>>; readonly heldBackBy?: string } {
  const isKept = kept.find(
    ({ property, reason }) => EMPLOYER.has(property) && reason !== 'same' && reason !== 'never',
  );
  if (!isKept || !isAnother(properties, proposals)) return { writes };
  const others = Object.entries(writes).filter(([property]) => !EMPLOYER.has(property));
  return { writes: Object.fromEntries(others), heldBackBy: isKept.property };
}

function isAnother(properties: CrmRecord['properties'], proposals: readonly Proposal[]): boolean {
  const proposed = (name: string) => proposals.find(({ property }) => property === name)?.value;
  const [company, website] = [properties['company'] ?? '', properties['website'] ?? ''];
  const [newCompany, newWebsite] = [proposed('company'), proposed('website')];
  if (website !== '' && newWebsite !== undefined && domainLabel(website) === domainLabel(newWebsite))
    return false;
  if (company !== '' && newCompany !== undefined) return areDifferentCompanies(company, newCompany);
  return website !== '' && newWebsite !== undefined;
}
