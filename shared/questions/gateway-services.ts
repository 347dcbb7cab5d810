import type { CreditLedger } from '#shared/credit-ledger';
import type { Clock, Digest, Packing } from '#shared/kernel';
import type { RateLimiter } from '#shared/rate-limiter';
import type { StoreClock, VersionedItems } from '#shared/versioned-items';
import type { AskRequest } from './ask-result.ts';
import type { Breakers } from './breakers.ts';
import type { PaidCalls } from './paid-calls.ts';
import type { Disclosures } from './people/disclosures.ts';
import type { SuppressionList } from './people/suppression-list.ts';
import type { QuestionOperation } from './question.ts';
import type { QuestionItem, SideItem } from './schemas.ts';

export interface GatewayPolicy {
  /** How long one request may take. */
  readonly requestTimeoutMs: number;
  /** What the vendor is assumed to charge for "no match". */
  readonly noMatchCost: 'none' | 'base' | 'full';
  readonly emptySearchCost: 'none' | 'base';
  /** What probes may cost an hour while a breaker is open. */
  readonly testCreditsPerHour: number;
  /** How long an answer is reused, by operation. */
  readonly freshnessMs: Readonly<Record<QuestionOperation, number>>;
  /** How long "no match" is believed: after the first miss, the second, ...; the last one holds on. */
  readonly noMatchRetryMs: readonly number[];
}

export interface GatewayServices {
  readonly items: VersionedItems<QuestionItem>;
  /** In the same table: parts of large answers, and the ways from people to answers. */
  readonly sideItems: VersionedItems<SideItem>;
  readonly suppressionList: SuppressionList;
  readonly disclosures: Disclosures;
  readonly ledger: CreditLedger;
  readonly rateLimiter: RateLimiter;
  readonly calls: PaidCalls;
  readonly breakers: Breakers;
  readonly clock: Clock;
  readonly storeClock: StoreClock;
  readonly digest: Digest;
  /** Short and at random: tells askers of one moment apart. */
  readonly newNonce: () => string;
  readonly packing: Packing;
  readonly policy: GatewayPolicy;
}

export interface KeyedRequest extends AskRequest {
  readonly key: string;
}
