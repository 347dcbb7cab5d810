import type { BooksAudit } from '#shared/credit-ledger';
import type { Crm } from '#shared/crm';
import type { ExecutionItems, RetentionCounts } from '#shared/enrichment';
import type { Clock, Logger } from '#shared/kernel';
import type { DeletionCounts } from '#shared/privacy';
import type { EndedDoubtServices, ForgetServices } from '#shared/questions';
import type { PassPart, RunSum, SweepCursor } from '#shared/records';
import type { StoreClock, VersionedItems } from '#shared/versioned-items';
import type { SweepServices } from '#shared/work-queue';

export interface ReconcileServices extends SweepServices {
  readonly questions: EndedDoubtServices & { readonly storeClock: StoreClock };
  readonly forgetting: ForgetServices;
  readonly crm: Crm;
  /** Executions of the workflow's action whose end is not reported yet. */
  readonly executions: ExecutionItems;
  /** One cursor for each object type, by its name. */
  readonly cursors: VersionedItems<SweepCursor>;
  /** Moves the backfills as far as possible now. @returns the number of admitted records. */
  readonly advanceBackfills: () => Promise<number>;
  /** Each continues its pass through the records, if one is due. */
  readonly rounds: SweepServices['rounds'] & {
    readonly audit: () => Promise<PassPart<RunSum> | undefined>;
    readonly count: () => Promise<void>;
    /** Looks for contacts that are gone from HubSpot without an event. */
    readonly deletions: (logger: Logger) => Promise<DeletionCounts | undefined>;
  };
  /** Empties values past their retention period: the next part of a pass. */
  readonly expireValues: () => Promise<RetentionCounts | undefined>;
  /** Archives the present policy once. */
  readonly archivePolicy: () => Promise<void>;
  /** Brings the stored spend totals up to the newest ledger entry. */
  readonly projectSpend: () => Promise<void>;
  /** Stores what the app's home page in HubSpot shows. Runs after the spend totals. */
  readonly keepHome: () => Promise<void>;
  /** Verifies the ledger entries since the last audit. */
  readonly auditBooks: () => Promise<BooksAudit>;
  /** Reports the gauges for the alarms. Runs first, because the other steps may take long. */
  readonly reportGauges: () => Promise<void>;
  /** Reports the gauges that need a request to HubSpot. Runs after the others. */
  readonly reportHubSpotGauges: () => Promise<void>;
  /** Alerts people to budgets, doubts and stops, each once. Never fails. */
  readonly sendAlerts: () => Promise<void>;
  readonly installedAtMs: number;
  /** How long after its deadline an asker may still come back: the longest function lifetime. */
  readonly askerGraceMs: number;
  /** Age at which the policy counts a doubt as charged; without it, doubts wait for a person. */
  readonly doubtsChargedAfterMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}
