import type { ObjectType } from '#shared/crm';
import { type HubSpotFailure, isHubSpotFailure } from '#shared/crm';
import { textAt } from '#shared/field-policy';
import { companyDomain } from '#shared/identity';
import { mayWrite } from '#shared/ownership';
import type { WaitingReason } from '#shared/records';
import { eachAlone, hubSpotFailure, isRefusal } from '../failures.ts';
import { isAskedFor, whoAsks } from '../memory.ts';
import { companyIdOf } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import type { WritePlan } from './plan-writes.ts';
import type { WriteResult } from './planned-write.ts';

/** What became of a contact that was to belong to the company that its answer names. */
export interface AssociationResult {
  /** For a person: what was done, or why nothing was. */
  readonly told?: string;
  /** It belongs to it now. */
  readonly company?: { readonly id: string; readonly domain: string };
  /** It would belong to one, if nothing were in shadow. */
  readonly isProposed?: true;
  /** Not now: the run continues then. Epoch milliseconds. */
  readonly wait?: { readonly reason: WaitingReason; readonly untilMs: number };
  /** The journal's own failure. */
  readonly failure?: { readonly error: unknown };
}

/** By record id. */
type Fates = ReadonlyMap<string, AssociationResult>;

interface Wish extends Employer {
  readonly held: ClaimedRecord;
  /** Nothing is done for it: it is only looked up. */
  readonly isShadow: boolean;
}

/**
 * After the values: contacts that have no company, and whose answer names one, are associated with it, all in a few
 * requests; no request is sent where there is none. A failed association is repeated when the run continues.
 */
export async function associateWritten(
  services: EnrichmentServices,
  { objectType, written }: { objectType: ObjectType; written: readonly WriteResult<WritePlan>[] },
): Promise<Fates> {
  if (objectType !== 'contacts' || services.policy.associate === 'never') return new Map();
  const wishes = written.flatMap((each) => wishOf(each) ?? []);
  if (wishes.length === 0) return new Map();
  const fates = await fulfil(services, wishes).catch((error) => failedAll(services, wishes, error));
  const told = wishes.filter(({ held }) => fates.get(held.id)?.told);
  const failures = await eachAlone(told, ({ held }) => {
    const { told: association = '' } = fates.get(held.id) ?? {};
    return services.journal.confirm(held, held.state.runsOpened, { association });
  });
  const failed = [...failures].map(([{ held }, failure]) => [held.id, { failure }] as const);
  return new Map([...fates, ...failed]);
}

function failedAll(services: EnrichmentServices, wishes: readonly Wish[], error: unknown): Fates {
  if (!isHubSpotFailure(error)) throw error;
  const { reason, untilMs } = hubSpotFailure(error, services);
  const fate = isRefusal(error)
    ? { told: `HubSpot refused the association: ${reason}.` }
    : { wait: { reason, untilMs } };
  return new Map(wishes.map(({ held }) => [held.id, fate]));
}

/** The company that a contact is to belong to. */
interface Employer {
  readonly domain: string;
  readonly name: string;
}

function wishOf(written: WriteResult<WritePlan>): Wish | undefined {
  if (written.kind !== 'done' || written.openUntilMs !== undefined) return undefined;
  const { plan, result } = written;
  const isWritten = Object.keys(plan.writes).length === 0 || result?.kind === 'written';
  const employer = isWritten ? employerToJoin(plan) : undefined;
  return employer && { held: plan.draft.held, isShadow: plan.isShadow === true, ...employer };
}

/** Never for a contact that has a company or has had one, nor where the answer is doubted. */
function employerToJoin(plan: WritePlan): Employer | undefined {
  const { held, answered, status } = plan.draft;
  if (answered.kind !== 'found' || status !== 'enriched' || plan.isMixed) return undefined;
  if ((typeof plan.current === 'string' || companyIdOf(plan.current)) ?? companyIdOf(held.record))
    return undefined;
  if (held.state.hadCompany && !isAskedFor(held)) return undefined;
  const { ownership, verdicts } = held.state;
  const verdict = mayWrite({
    ...{ ownership, verdicts, current: { value: null } },
    rule: { property: 'associatedcompanyid', write: 'fill-blank' },
    request: { by: whoAsks(held), answer: answered, isAccepted: answered.accepted !== undefined },
  });
  if (!verdict.may) return undefined;
  const domain = companyDomain(textAt(answered.answer, ['organizations.primary_domain']) ?? '');
  if (held.objectType !== 'contacts' || domain === undefined) return undefined;
  return { domain, name: textAt(answered.answer, ['organizations.name']) ?? domain };
}

async function fulfil(services: EnrichmentServices, wishes: readonly Wish[]): Promise<Fates> {
  const targets = await companyTargets(services, wishes);
  const joining: Joining[] = [];
  const others: [string, AssociationResult][] = [];
  for (const { held, domain, isShadow } of wishes) {
    const target = targets.get(domain);
    if (!target) continue;
    if (!('companyId' in target)) others.push([held.id, target]);
    else if (isShadow) others.push([held.id, PROPOSED]);
    else joining.push({ held, domain, ...target });
  }
  return new Map([...others, ...(await join(services, joining))]);
}

interface Joining extends Pick<Wish, 'held' | 'domain'> {
  readonly companyId: string;
}

/** A person, or HubSpot itself, may have given it a company since it was read: that one stays the only one. */
async function join({ crm }: EnrichmentServices, joining: readonly Joining[]): Promise<Fates> {
  if (joining.length === 0) return new Map();
  const taken = await crm.companies.ofContacts(joining.map(({ held }) => held.id));
  const open = joining.filter(({ held }) => !taken.has(held.id));
  if (open.length === 0) return new Map();
  const refused = await crm.companies.associate(
    open.map(({ held, companyId }) => ({ contactId: held.id, companyId })),
  );
  return new Map(
    open.map(({ held, companyId: id, domain }): [string, AssociationResult] => {
      const reason = refused.get(held.id);
      if (reason)
        return [held.id, { told: `HubSpot refused the association with company ${id}: ${reason}.` }];
      return [held.id, { told: `Associated with company ${id}.`, company: { id, domain } }];
    }),
  );
}

type NamedCompany = Omit<Wish, 'held'>;

/** The company of a domain, or what to say in its place. */
type CompanyTarget =
  | { readonly companyId: string }
  | typeof PROPOSED
  | { readonly told: string }
  | { readonly wait: { readonly reason: WaitingReason; readonly untilMs: number } };

const PROPOSED = { isProposed: true } as const;
const SEVERAL = { told: 'Several companies have its domain: associated with none.' };

/** The only company of each domain, created where the policy says so; nothing for a domain that has none. */
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
 * The holder of the domain's claim creates; the others wait for what it creates. A holder that was cut off leaves a
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
  { domain, error }: { domain: string; error: HubSpotFailure },
): Promise<CompanyTarget> {
  const { reason, untilMs } = hubSpotFailure(error, services);
  if (!isRefusal(error)) return { wait: { reason, untilMs } };
  await services.companyClaims.release(domain);
  return { told: `HubSpot refused to create its company: ${reason}.` };
}
