import type { CreditLedger } from '#shared/credit-ledger';
import type { Clock, Digest, Packing, ReferenceClock } from '#shared/kernel';
import type { RateLimiter } from '#shared/rate-limiter';
import type { Owners, PlacedItems, Together, VersionedItems } from '#shared/store';
import type { VendorClient } from '#shared/vendor';
import type { AskRequest } from './ask-result.ts';
import type { Breakers } from './breakers.ts';
import type { Disclosures } from './people/disclosures.ts';
import type { SuppressionList } from './people/suppression-list.ts';
import type { QuestionItem, SideItem } from './schemas.ts';

export interface GatewayPolicy {
  /** Timeout of one request. */
  readonly requestTimeoutMs: number;
  /** Assumed charge for "no match". */
  /** Absent: the vendor's price list counts. */
  readonly noMatchCost?: 'none' | 'base' | 'full' | undefined;
  readonly emptySearchCost: 'none' | 'base';
  /** Limit for the cost of probes while a breaker is open, credits an hour. */
  readonly testCreditsPerHour: number;
  /** How long an answer is reused. */
  readonly freshnessMs: Readonly<Record<'person' | 'company' | 'search', number>>;
  /** How long "no match" stays fresh after the first miss, the second, and so on. The last value repeats. */
  readonly noMatchRetryMs: readonly number[];
}

export interface GatewayServices {
  readonly items: PlacedItems<QuestionItem>;
  /** Writes of one work are one transaction. */
  readonly together: Together;
  /** The index from people to answers. In the table of questions. */
  readonly sideItems: VersionedItems<SideItem>;
  readonly owners: Owners;
  readonly suppressionList: SuppressionList;
  readonly disclosures: Disclosures;
  readonly ledger: CreditLedger;
  readonly rateLimiter: RateLimiter;
  readonly vendor: Pick<VendorClient, 'ask'>;
  readonly breakers: Breakers;
  readonly clock: Clock;
  /** If it is absent, this machine's clock is trusted. */
  readonly referenceClock?: ReferenceClock | undefined;
  readonly digest: Digest;
  /** Short and random; distinguishes attempts that start at the same moment. */
  readonly newNonce: () => string;
  readonly packing: Packing;
  readonly policy: GatewayPolicy;
}

export interface KeyedRequest extends AskRequest {
  readonly key: string;
}
