import { type Clock, DAY_MS, type Digest, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { CompanyClaim } from './schemas.ts';
import { companyClaimKind } from './stored-kinds.ts';

export type TakenClaim =
  /** This worker may create the company. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'created'; readonly companyId: string }
  /** Another worker is creating it; check again at `untilMs`, epoch milliseconds. */
  | { readonly kind: 'busy'; readonly untilMs: number };

/** HubSpot accepts two companies with one domain. So only one of the workers that found none may create it. */
export interface CompanyClaims {
  take(domain: string): Promise<TakenClaim>;
  created(domain: string, companyId: string): Promise<void>;
  /** Gives the claim up. Only call it if certainly no company was created. */
  release(domain: string): Promise<void>;
}

/** Far longer than a request takes, and than HubSpot's search needs to show a new company. */
const CLAIM_MS = 5 * MINUTE_MS;
/** Delay before a worker checks another worker's claim again; creating a company takes a second. */
const RECHECK_MS = 10 * SECOND_MS;
/** After this time, HubSpot's search shows the company reliably. */
const MEMORY_MS = DAY_MS;

export interface CompanyClaimServices {
  readonly items: VersionedItems<CompanyClaim>;
  readonly digest: Digest;
  readonly clock: Clock;
}

export function createCompanyClaims({ items, digest, clock }: CompanyClaimServices): CompanyClaims {
  const place = (domain: string) => ({
    key: companyClaimKind.key(digest.keyed(JSON.stringify(['company', domain]))),
    kind: 'company claim',
    clock,
  });
  const put = async (domain: string, value: CompanyClaim) => {
    await change(items, place(domain), () => ({ value }));
  };
  return {
    take: async (domain) => {
      const { taken } = await change(items, place(domain), (known) => decide(known, clock.now()));
      return taken;
    },
    created: (domain, companyId) => put(domain, { companyId, untilMs: clock.now() + MEMORY_MS }),
    release: (domain) => put(domain, { untilMs: 0 }),
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
