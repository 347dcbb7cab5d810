import { type Clock, DAY_MS, type Digest, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/store';
import type { CompanyClaim } from './schemas.ts';
import { companyClaimKind } from './stored-kinds.ts';

export type TakenClaim =
  /** This worker has the claim and creates the company. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'created'; readonly companyId: string }
  /** Another worker is creating the company. Check again at `untilMs`, epoch milliseconds. */
  | { readonly kind: 'busy'; readonly untilMs: number };

/**
 * HubSpot accepts two companies with one domain. So if several workers find no company, only the one with the claim
 * creates it.
 */
export interface CompanyClaims {
  take(domain: string): Promise<TakenClaim>;
  created(domain: string, companyId: string): Promise<void>;
  /** Gives up the claim. Call it only if it is certain that no company was created. */
  release(domain: string): Promise<void>;
}

/** Lifetime of a claim. It is far longer than a request, and than HubSpot's search needs to show a new company. */
const CLAIM_MS = 5 * MINUTE_MS;
/** Delay before a worker checks another worker's claim again. Creating a company takes one second. */
const RECHECK_MS = 10 * SECOND_MS;
/** After this time, HubSpot's search shows the company reliably. */
const MEMORY_MS = DAY_MS;

export interface CompanyClaimServices {
  readonly items: VersionedItems<CompanyClaim>;
  readonly digest: Digest;
  readonly clock: Clock;
}

export function createCompanyClaims({ items, digest, clock }: CompanyClaimServices): CompanyClaims {
  const itemOf = (domain: string) => ({
    key: companyClaimKind.key(digest.keyed(JSON.stringify(['company', domain]))),
    kind: 'company claim',
    clock,
  });
  const store = async (domain: string, value: CompanyClaim) => {
    await change(items, itemOf(domain), () => ({ value }));
  };
  return {
    take: async (domain) => {
      const { taken } = await change(items, itemOf(domain), (known) => decide(known, clock.now()));
      return taken;
    },
    created: (domain, companyId) => store(domain, { companyId, untilMs: clock.now() + MEMORY_MS }),
    release: (domain) => store(domain, { untilMs: 0 }),
  };
}

function decide(
  known: CompanyClaim | undefined,
  nowMs: number,
): { readonly taken: TakenClaim; readonly value?: CompanyClaim } {
  if (known && known.untilMs > nowMs) {
    const { companyId, untilMs } = known;
    if (companyId !== undefined) return { taken: { kind: 'created', companyId } };
    return { taken: { kind: 'busy', untilMs: Math.min(untilMs, nowMs + RECHECK_MS) } };
  }
  return { taken: { kind: 'ours' }, value: { untilMs: nowMs + CLAIM_MS } };
}
