import type { ObjectType } from '#shared/crm/crm-record.ts';
import { textAt } from '#shared/field-policy/mapping/answer-path.ts';
import { companyDomain } from '#shared/identity/record-identity.ts';
import { eachAlone } from '../each-alone.ts';
import { hubSpotFailure, isHubSpotFailure, isRefusal } from '../hubspot-failure.ts';
import { companyIdOf } from '../read-with-companies.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import { companyTargets } from './company-targets.ts';
import type { Written } from './guarded-writes.ts';

/** What became of a contact that was to belong to the company that its answer names. */
export interface Association {
  /** For a person: what was done, or why nothing was. */
  readonly told?: string;
  /** It belongs to it now. */
  readonly company?: { readonly id: string; readonly domain: string };
  /** Not now: the run goes on then. Epoch milliseconds. */
  readonly wait?: { readonly reason: string; readonly untilMs: number };
  /** The journal's own failure. */
  readonly failure?: { readonly error: unknown };
}

/** By record id. */
type Fates = ReadonlyMap<string, Association>;

interface Wish {
  readonly held: HeldRecord;
  readonly domain: string;
  readonly name: string;
}

/**
 * After the values: contacts that have no company, and whose answer names one, are associated with it, all in a few
 * requests; nothing is asked of HubSpot where there is none. What does not succeed is done when the run goes on.
 */
export async function associateContacts(
  services: EnrichmentServices,
  { objectType, written }: { objectType: ObjectType; written: readonly Written[] },
): Promise<Fates> {
  if (objectType !== 'contacts' || services.policy.associate === 'never') return new Map();
  const wishes = written.flatMap((each) => wishOf(each) ?? []);
  if (wishes.length === 0) return new Map();
  const fates = await orFailure(services, wishes);
  const told = wishes.filter(({ held }) => fates.get(held.id)?.told);
  const failures = await eachAlone(told, idOf, ({ held }) => {
    const { told: association = '' } = fates.get(held.id) ?? {};
    return services.journal.confirm(held, held.state.runsOpened, { association });
  });
  const failed = [...failures].map(([id, failure]) => [id, { failure }] as const);
  return new Map([...fates, ...failed]);
}

async function orFailure(services: EnrichmentServices, wishes: readonly Wish[]): Promise<Fates> {
  try {
    return await fulfil(services, wishes);
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    const { reason, untilMs } = hubSpotFailure(error, services);
    const fate = isRefusal(error)
      ? { told: `HubSpot refused the association: ${reason}.` }
      : { wait: { reason, untilMs } };
    return new Map(wishes.map(({ held }) => [held.id, fate]));
  }
}

/** Never for a contact that has a company or has had one, nor where the answer is doubted or did not reach the record. */
function wishOf(written: Written): Wish | undefined {
  if (written.kind !== 'done' || written.openUntilMs !== undefined) return undefined;
  const { plan, result } = written;
  const { held, answered, status } = plan.draft;
  if (answered.kind !== 'found' || status !== 'enriched' || plan.isMixed) return undefined;
  if ((typeof plan.current === 'string' || companyIdOf(plan.current)) ?? companyIdOf(held.record))
    return undefined;
  if (held.state.hadCompany && held.run.purpose !== 'manual') return undefined;
  const isWritten = Object.keys(plan.writes).length === 0 || result?.kind === 'written';
  const domain = companyDomain(textAt(answered.answer, ['organizations.primary_domain']) ?? '');
  if (!isWritten || domain === undefined) return undefined;
  return { held, domain, name: textAt(answered.answer, ['organizations.name']) ?? domain };
}

async function fulfil(services: EnrichmentServices, wishes: readonly Wish[]): Promise<Fates> {
  const targets = await companyTargets(services, wishes);
  const joining: Joining[] = [];
  const others: [string, Association][] = [];
  for (const { held, domain } of wishes) {
    const target = targets.get(domain);
    if (target && 'companyId' in target) joining.push({ held, domain, ...target });
    else if (target) others.push([held.id, target]);
  }
  return new Map([...others, ...(await join(services, joining))]);
}

interface Joining extends Pick<Wish, 'held' | 'domain'> {
  readonly companyId: string;
}

/** Somebody, or HubSpot itself, may have given it a company since it was read: that one stays the only one. */
async function join({ crm }: EnrichmentServices, joining: readonly Joining[]): Promise<Fates> {
  if (joining.length === 0) return new Map();
  const taken = await crm.companies.ofContacts(joining.map(idOf));
  const open = joining.filter(({ held }) => !taken.has(held.id));
  if (open.length === 0) return new Map();
  const refused = await crm.companies.associate(
    open.map(({ held, companyId }) => ({ contactId: held.id, companyId })),
  );
  return new Map(
    open.map(({ held, companyId: id, domain }): [string, Association] => {
      const reason = refused.get(held.id);
      if (reason)
        return [held.id, { told: `HubSpot refused the association with company ${id}: ${reason}.` }];
      return [held.id, { told: `Associated with company ${id}.`, company: { id, domain } }];
    }),
  );
}

function idOf({ held }: Pick<Wish, 'held'>): string {
  return held.id;
}
