import type { CreditLedger } from '../credit-ledger/ledger.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Packing } from '../kernel/packing.ts';
import type { Tombstones } from '../privacy/tombstones.ts';
import type { RateGovernor } from '../rate-governor/governor.ts';
import type { VersionedItems } from '../versioned-items/store.ts';
import type { AskRequest } from './asking-types.ts';
import type { Breakers } from './breakers.ts';
import type { QuestionItem } from './item.ts';
import type { PaidCalls } from './paid-calls.ts';
import type { QuestionOperation } from './question.ts';
import type { SideItem } from './side-item.ts';

export interface GatewayPolicy {
  /** How long one request may take. */
  readonly requestTimeoutMs: number;
  /** An unsent lease that is older may be taken over; its holder renews it while it waits for a slot. */
  readonly leaseMs: number;
  /** What the vendor is assumed to charge for "no match". */
  readonly noMatchCost: 'none' | 'base' | 'full';
  /** How long an answer is reused, by operation. */
  readonly freshnessMs: Readonly<Record<QuestionOperation, number>>;
  /** How long "no match" is believed: after the first miss, the second, ...; the last one holds on. */
  readonly noMatchRetryMs: readonly number[];
}

export interface GatewayDeps {
  readonly items: VersionedItems<QuestionItem>;
  /** In the same table: parts of large answers, and the ways from people to answers. */
  readonly sideItems: VersionedItems<SideItem>;
  readonly tombstones: Tombstones;
  readonly ledger: CreditLedger;
  readonly governor: RateGovernor;
  readonly calls: PaidCalls;
  readonly breakers: Breakers;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly packing: Packing;
  readonly policy: GatewayPolicy;
}

export interface KeyedRequest extends AskRequest {
  readonly key: string;
}
