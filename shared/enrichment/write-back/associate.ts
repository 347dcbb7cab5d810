import { type HubSpotFailure, isAboutPerson, isHubSpotFailure, type ObjectType } from '#shared/crm';
import { textAt } from '#shared/field-policy';
import { companyDomain } from '#shared/identity';
import { type Explanation, mayWrite } from '#shared/ownership';
import { because, type WaitingReason } from '#shared/records';
import { isRequestedByPerson, requesterOf } from '../memory.ts';
import { companyIdOf } from '../read-records.ts';
import {
  type ClaimedRecord,
  type EnrichmentServices,
  eachAlone,
  hubSpotFailure,
  isRefusal,
} from '../services.ts';
import type { WriteResult } from './guarded-writes.ts';
import type { WritePlan } from './plan-writes.ts';

/** Result of associating a contact with the company that its answer names. */
export interface AssociationResult {
  /** The association that was made, or why none was made. */
  readonly result?: Explanation;
  /** The company that the contact now belongs to. */
  readonly company?: { readonly id: string; readonly domain: string };
  /** Set in shadow mode. The association is then only proposed. */
  readonly isProposed?: true;
  /** The run must continue at this time, epoch milliseconds. */
  readonly wait?: { readonly reason: WaitingReason; readonly untilMs: number };
  /** The journal's own failure. */
  readonly failure?: { readonly error: unknown };
}

/** By record id. */
type AssociationResults = ReadonlyMap<string, AssociationResult>;

interface AssociationRequest extends Employer {
  readonly held: ClaimedRecord;
  /** If true, the company is only looked up, and nothing is written. */
  readonly isShadow: boolean;
}

/**
 * Associates contacts without a company with the company that their answer names. It runs after the values are written,
 * and needs few requests. A failed association is repeated when the run continues.
 */
export async function associateWritten(
  services: EnrichmentServices,
  { objectType, written }: { objectType: ObjectType; written: readonly WriteResult<WritePlan>[] },
): Promise<AssociationResults> {
  if (!isAboutPerson({ objectType }) || services.policy.associate === 'never') return new Map();
  const requests = written.flatMap((each) => requestOf(each) ?? []);
  if (requests.length === 0) return new Map();
  const results = await associateAll(services, requests).catch((error) =>
    failedAll(services, requests, error),
  );
  const explained = requests.flatMap(({ held }) => {
    const association = results.get(held.id)?.result;
    return association ? [{ held, association }] : [];
  });
  const failures = await eachAlone(explained, ({ held, association }) => {
    return services.journal.confirm(held, held.state.runsOpened, { association });
  });
  const all = new Map(results);
  for (const [{ held }, failure] of failures) all.set(held.id, { failure });
  return all;
}

function failedAll(
  services: EnrichmentServices,
  requests: readonly AssociationRequest[],
  error: unknown,
): AssociationResults {
  if (!isHubSpotFailure(error)) throw error;
  const { reason, untilMs } = hubSpotFailure(error, services);
  const result = isRefusal(error)
    ? { result: because('association-refused', { why: reason }) }
    : { wait: { reason, untilMs } };
  return new Map(requests.map(({ held }) => [held.id, result]));
}

/** The company that a contact should belong to. */
interface Employer {
  readonly domain: string;
  readonly name: string;
}

function requestOf(written: WriteResult<WritePlan>): AssociationRequest | undefined {
  if (written.kind !== 'done' || written.openUntilMs !== undefined) return undefined;
  const { plan, result } = written;
  const isWritten = Object.keys(plan.writes).length === 0 || result?.kind === 'written';
  const employer = isWritten ? employerToJoin(plan) : undefined;
  return employer && { held: plan.draft.held, isShadow: plan.isShadow === true, ...employer };
}

/**
 * Returns the employer to associate; `undefined` for a contact that has or had a company, and for a doubtful answer.
 */
function employerToJoin(plan: WritePlan): Employer | undefined {
  const { held, answered, status } = plan.draft;
  if (answered.kind !== 'found' || status !== 'enriched' || plan.isMixed) return undefined;
  if ((typeof plan.current === 'string' || companyIdOf(plan.current)) ?? companyIdOf(held.record))
    return undefined;
  if (held.state.hadCompany && !isRequestedByPerson(held)) return undefined;
  const { ownership, verdicts } = held.state;
  const verdict = mayWrite({
    ownership,
    verdicts,
    current: { value: null },
    rule: { property: 'associatedcompanyid', write: 'fill-blank' },
    request: { by: requesterOf(held), answer: answered, isAccepted: answered.accepted !== undefined },
  });
  if (!verdict.may) return undefined;
  const domain = companyDomain(textAt(answered.answer, ['employerDomain']) ?? '');
  if (!isAboutPerson(held) || domain === undefined) return undefined;
  return { domain, name: textAt(answered.answer, ['employerName']) ?? domain };
}

async function associateAll(
  services: EnrichmentServices,
  requests: readonly AssociationRequest[],
): Promise<AssociationResults> {
  const targets = await companyTargets(services, requests);
  const joining: Joining[] = [];
  const others: [string, AssociationResult][] = [];
  for (const { held, domain, isShadow } of requests) {
    const target = targets.get(domain);
    if (!target) continue;
    if (!('companyId' in target)) others.push([held.id, target]);
    else if (isShadow) others.push([held.id, PROPOSED]);
    else joining.push({ held, domain, ...target });
  }
  return new Map([...others, ...(await join(services, joining))]);
}

interface Joining extends Pick<AssociationRequest, 'held' | 'domain'> {
  readonly companyId: string;
}

/**
 * Associates contacts. If a person or HubSpot has given a contact a company since the read, the contact keeps that
 * company.
 */
async function join({ crm }: EnrichmentServices, joining: readonly Joining[]): Promise<AssociationResults> {
  if (joining.length === 0) return new Map();
  const withCompany = await crm.companies.ofContacts(joining.map(({ held }) => held.id));
  const open = joining.filter(({ held }) => !withCompany.has(held.id));
  if (open.length === 0) return new Map();
  const refused = await crm.companies.associate(
    open.map(({ held, companyId }) => ({ contactId: held.id, companyId })),
  );
  return new Map(
    open.map(({ held, companyId: id, domain }): [string, AssociationResult] => {
      const reason = refused.get(held.id);
      if (reason) return [held.id, { result: because('association-refused', { why: reason }) }];
      return [held.id, { result: because('associated', { company: id }), company: { id, domain } }];
    }),
  );
}

type NamedCompany = Omit<AssociationRequest, 'held'>;

/** The company of a domain, or the result if no company can be associated. */
type CompanyTarget =
  | { readonly companyId: string }
  | typeof PROPOSED
  | { readonly result: Explanation }
  | { readonly wait: { readonly reason: WaitingReason; readonly untilMs: number } };

const PROPOSED = { isProposed: true } as const;
const SEVERAL = { result: because('several-companies') };

/**
 * Finds the only company of each domain. Creates a missing company if the policy says so; otherwise the domain has no
 * entry.
 */
async function companyTargets(
  services: EnrichmentServices,
  named: readonly NamedCompany[],
): Promise<ReadonlyMap<string, CompanyTarget>> {
  const companies = new Map(named.map((company) => [company.domain, company]));
  const found = await services.crm.companies.withDomains([...companies.keys()]);
  const existing = Map.groupBy(found, ({ domain }) => companyDomain(domain));
  const targets = new Map<string, CompanyTarget>();
  await Promise.all(
    [...companies.values()].map(async (company) => {
      const [only, another] = existing.get(company.domain) ?? [];
      if (only) targets.set(company.domain, another ? SEVERAL : { companyId: only.id });
      else if (services.policy.associate === 'create')
        targets.set(company.domain, company.isShadow ? PROPOSED : await createOnce(services, company));
    }),
  );
  return targets;
}

/**
 * Creates the company if this worker gets the domain's claim. Other workers wait. If a worker is interrupted, its claim
 * expires long after HubSpot's search shows the company. So the next worker finds the company.
 */
async function createOnce(services: EnrichmentServices, company: NamedCompany): Promise<CompanyTarget> {
  const { crm, companyClaims } = services;
  const { domain } = company;
  const claimed = await companyClaims.take(domain);
  if (claimed.kind === 'busy') return { wait: { reason: 'COMPANY_BEING_CREATED', untilMs: claimed.untilMs } };
  if (claimed.kind === 'created') return claimed;
  try {
    const companyId = await crm.companies.create(company);
    await companyClaims.created(domain, companyId);
    return { companyId };
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return afterFailure(services, { domain, error });
  }
}

/**
 * Returns the result of a failed creation. Releases the claim only after a refusal, which proves that no company was
 * created. In other cases the claim expires.
 */
async function afterFailure(
  services: EnrichmentServices,
  { domain, error }: { domain: string; error: HubSpotFailure },
): Promise<CompanyTarget> {
  const { reason, untilMs } = hubSpotFailure(error, services);
  if (!isRefusal(error)) return { wait: { reason, untilMs } };
  await services.companyClaims.release(domain);
  return { result: because('company-refused', { why: reason }) };
}
