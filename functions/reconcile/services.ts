import type { AlertServices } from '#shared/alerts';
import type { BooksCheck } from '#shared/credit-ledger';
import type { Crm } from '#shared/crm';
import type { StepServices, SweepStep } from '#shared/enrichment';
import type { HomeServices } from '#shared/home';
import type { Logger } from '#shared/kernel';
import type { GaugeSources, HubSpotGaugeSources, Metrics } from '#shared/metrics';
import type { DeletionCounts } from '#shared/privacy';
import type { ForgetServices, SweptQuestions } from '#shared/questions';
import type { PassPart, RunSum } from '#shared/records';
import type { RequestItems } from '#shared/requests';
import type { SpendBook } from '#shared/spend';
import type { SweepServices } from '#shared/work-queue';

/** The parts of the app that the steps of a sweep use, and facts of this installation. */
export type ReconcileServices = Omit<
  SweepServices & AlertServices & GaugeSources,
  // The handler reads these in the policy.
  'cheapestCredits' | 'dearestCredits' | 'timeZone'
> &
  HubSpotGaugeSources &
  StepServices &
  HomeServices & {
    /** The extensions' parts of a sweep. */
    readonly sweepSteps: readonly SweepStep[];
    readonly questions: SweptQuestions;
    readonly forgetting: ForgetServices;
    readonly crm: Crm;
    /** Executions of the workflow's action whose end was not reported to HubSpot yet. */
    readonly requests: RequestItems;
    readonly spendBook: SpendBook;
    /** Verifies the newest ledger entries. */
    readonly checkBooks: () => Promise<BooksCheck>;
    /** Passes through the records. Each call continues its pass, if one is due. */
    readonly rounds: {
      readonly audit: () => Promise<PassPart<RunSum> | undefined>;
      readonly count: () => Promise<void>;
      /** Looks for contacts that HubSpot deleted without an event. */
      readonly deletions: (logger: Logger) => Promise<DeletionCounts | undefined>;
    };
    readonly installedAtMs: number;
    /** How long after a request's deadline its worker may still store an answer: the longest lifetime of a function. */
    readonly askerGraceMs: number;
    /** If absent, no gauges are read. */
    readonly metrics?: Metrics | undefined;
    /** The stack that the commands in the home page's texts name; absent on one machine. */
    readonly stack?: string | undefined;
  };
