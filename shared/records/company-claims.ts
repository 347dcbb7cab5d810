import { type Clock, DAY_MS, type Digest, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { CompanyClaim } from './schemas.ts';
import { companyClaimKind } from './stored-kinds.ts';

export type TakenClaim =
  /** No other worker creates it now. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'created'; readonly companyId: string }
  /** Another worker is at it; look again then. Epoch milliseconds. */
  | { readonly kind: 'busy'; readonly untilMs: number };

/** HubSpot takes two companies of one domain: of all workers that have just found none, one may create it. */
export interface CompanyClaims {
  take(domain: string): Promise<TakenClaim>;
  created(domain: string, companyId: string): Promise<void>;
  /** Nothing was created, and that is sure. */
  release(domain: string): Promise<void>;
}

/** Many times as long as a request may be under way, and as HubSpot's search takes to know what it made. */
const CLAIM_MS = 5 * MINUTE_MS;
/** A worker that waits for another one looks again after this: creating takes a second. */
const LOOK_AGAIN_MS = 10 * SECOND_MS;
/** After this, the search is believed. */
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
    return { taken: { kind: 'busy', untilMs: Math.min(untilMs, nowMs + LOOK_AGAIN_MS) } };
  }
  return { taken: { kind: 'ours' }, value: { untilMs: nowMs + CLAIM_MS } };
}
