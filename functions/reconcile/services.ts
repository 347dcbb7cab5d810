import type { BooksCheck } from '#shared/credit-ledger';
import type { Crm } from '#shared/crm';
import type { RequestItems } from '#shared/extensions/requests';
import type { RetentionCounts } from '#shared/extensions/take-back';
import type { Clock, Logger } from '#shared/kernel';
import type { DeletionCounts } from '#shared/privacy';
import type { ForgetServices, SweptQuestions } from '#shared/questions';
import type { PassPart, RunSum } from '#shared/records';
import type { SweepServices } from '#shared/work-queue';

export interface ReconcileServices extends SweepServices {
  readonly questions: SweptQuestions;
  readonly forgetting: ForgetServices;
  readonly crm: Crm;
  /** Executions of the workflow's action whose end was not reported to HubSpot yet. */
  readonly requests: RequestItems;
  /** Moves the backfills as far as possible now. @returns the number of admitted records. */
  readonly advanceBackfills: () => Promise<number>;
  /** Passes through the records. Each call continues its pass, if one is due. */
  readonly rounds: SweepServices['rounds'] & {
    readonly audit: () => Promise<PassPart<RunSum> | undefined>;
    readonly count: () => Promise<void>;
    /** Looks for contacts that HubSpot deleted without an event. */
    readonly deletions: (logger: Logger) => Promise<DeletionCounts | undefined>;
  };
  /** Clears values whose retention period is over, in the next part of a pass. */
  readonly expireValues: () => Promise<RetentionCounts | undefined>;
  /** Archives the current policy, a single time. */
  readonly archivePolicy: () => Promise<void>;
  /** Updates the stored spend totals to the newest ledger entry. */
  readonly projectSpend: () => Promise<void>;
  /** Stores the content of the app's home page in HubSpot. Runs after the spend totals. */
  readonly keepHome: () => Promise<void>;
  /** Verifies the newest ledger entries. */
  readonly checkBooks: () => Promise<BooksCheck>;
  /** Reports the gauges for the alarms. Runs first, because other steps can take long. */
  readonly reportGauges: () => Promise<void>;
  /** Reports the gauges that need a request to HubSpot. */
  readonly reportHubSpotGauges: () => Promise<void>;
  /** Alerts people to budgets, doubts and stops. Each is reported a single time. Never fails. */
  readonly sendAlerts: () => Promise<void>;
  readonly installedAtMs: number;
  /** How long after a request's deadline its worker may still store an answer: the longest lifetime of a function. */
  readonly askerGraceMs: number;
  /** Age at which the policy counts a doubt as charged. If absent, doubts wait for a person. */
  readonly doubtsChargedAfterMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}
