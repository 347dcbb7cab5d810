import type { FoundCompany } from '#shared/crm/companies.ts';
import { companyDomain } from '#shared/identity/record-identity.ts';
import type { UpstreamError } from '#shared/kernel/errors.ts';
import { hubSpotFailure, isHubSpotFailure, isRefusal } from '../hubspot-failure.ts';
import type { EnrichmentServices } from '../services.ts';

export interface NamedCompany {
  readonly domain: string;
  readonly name: string;
}

/** The company of a domain, or what to say in its place. */
export type CompanyTarget =
  | { readonly companyId: string }
  | { readonly told: string }
  | { readonly wait: { readonly reason: string; readonly untilMs: number } };

const SEVERAL = { told: 'Several companies have its domain: associated with none.' };

/** The only company of each domain, created where the policy says so; nothing for a domain that has none. */
export async function companyTargets(
  services: EnrichmentServices,
  named: readonly NamedCompany[],
): Promise<ReadonlyMap<string, CompanyTarget>> {
  const companies = new Map(named.map((company) => [company.domain, company]));
  const found = await services.crm.companies.withDomains([...companies.keys()]);
  const existing = Map.groupBy(found, ({ domain }) => companyDomain(domain));
  const targets = await Promise.all(
    [...companies.values()].map(async (company): Promise<[string, CompanyTarget][]> => {
      const target =
        targetOf(existing.get(company.domain)) ??
        (services.policy.associate === 'create' ? await createOnce(services, company) : undefined);
      return target ? [[company.domain, target]] : [];
    }),
  );
  return new Map(targets.flat());
}

function targetOf([company, another]: readonly FoundCompany[] = []): CompanyTarget | undefined {
  if (company === undefined) return undefined;
  return another === undefined ? { companyId: company.id } : SEVERAL;
}

/**
 * Whoever holds the domain's claim creates; the others wait for what it creates. A holder that was cut off leaves a
 * claim that lapses long after the search knows what it may have created: who takes it next has searched just before.
 */
async function createOnce(services: EnrichmentServices, company: NamedCompany): Promise<CompanyTarget> {
  const { crm, companyClaims } = services;
  const { domain } = company;
  const taken = await companyClaims.take(domain);
  if (taken.kind === 'busy') return { wait: { reason: 'COMPANY_BEING_CREATED', untilMs: taken.untilMs } };
  if (taken.kind === 'created') return taken;
  try {
    const companyId = await crm.companies.create(company);
    await companyClaims.created(domain, companyId);
    return { companyId };
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return refusal(services, { domain, error });
  }
}

/** Only a refusal proves that there is no company now; otherwise the claim lapses by itself. */
async function refusal(
  services: EnrichmentServices,
  { domain, error }: { domain: string; error: UpstreamError },
): Promise<CompanyTarget> {
  const { reason, untilMs } = hubSpotFailure(error, services);
  if (!isRefusal(error)) return { wait: { reason, untilMs } };
  await services.companyClaims.release(domain);
  return { told: `HubSpot refused to create its company: ${reason}.` };
}
