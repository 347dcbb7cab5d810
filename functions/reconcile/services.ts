import type { BooksAudit } from '#shared/credit-ledger';
import type { Crm } from '#shared/crm';
import type { ExecutionItems, RetentionCounts } from '#shared/enrichment';
import type { Clock, Logger } from '#shared/kernel';
import type { DeletionCounts } from '#shared/privacy';
import type { EndedDoubtServices, ForgetServices } from '#shared/questions';
import type { RoundPart, RunSum, SweepCursor } from '#shared/records';
import type { StoreClock, VersionedItems } from '#shared/versioned-items';
import type { SweepServices } from '#shared/work-queue';

export interface ReconcileServices extends SweepServices {
  readonly questions: EndedDoubtServices & { readonly storeClock: StoreClock };
  readonly forgetting: ForgetServices;
  readonly crm: Crm;
  /** Executions of the workflow's action that wait to be told. */
  readonly executions: ExecutionItems;
  /** One cursor an object type, by its name. */
  readonly cursors: VersionedItems<SweepCursor>;
  /** Moves the backfills as far as possible now. @returns the number of admitted records. */
  readonly advanceBackfills: () => Promise<number>;
  /** Each continues its pass through the records, if one is due. */
  readonly rounds: SweepServices['rounds'] & {
    readonly audit: () => Promise<RoundPart<RunSum> | undefined>;
    readonly count: () => Promise<void>;
    /** Looks for contacts that are gone from HubSpot without an event. */
    readonly deletions: (logger: Logger) => Promise<DeletionCounts | undefined>;
  };
  /** Takes back values whose time is over: the next part of a pass. */
  readonly expireValues: () => Promise<RetentionCounts | undefined>;
  /** Keeps the policy that is in force, if that is not done. */
  readonly archivePolicy: () => Promise<void>;
  /** Brings the stored spend totals up to the newest ledger entry. */
  readonly projectSpend: () => Promise<void>;
  /** Stores what the app's home page in HubSpot shows. Runs after the spend totals. */
  readonly keepHome: () => Promise<void>;
  /** Verifies what the ledger has got since the last time. */
  readonly auditBooks: () => Promise<BooksAudit>;
  /** Says how things stand, for those who watch; before anything else, which may take long. */
  readonly tellGauges: () => Promise<void>;
  /** Says what only HubSpot can tell. Runs after the gauges, because it asks HubSpot. */
  readonly tellHubSpotGauges: () => Promise<void>;
  /** Tells people of budgets, doubts and stops, each once. Never fails. */
  readonly tellAlerts: () => Promise<void>;
  readonly installedAtMs: number;
  /** How long after its deadline an asker may still come back: the longest function lifetime. */
  readonly askerGraceMs: number;
  /** Age at which the policy counts a doubt as charged; without it, doubts wait for a person. */
  readonly doubtsChargedAfterMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}
