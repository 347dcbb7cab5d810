import type {
  Company,
  LoggedRequest,
  Person,
} from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { PortalState } from '../../../../infra/sandbox/hubspot/state.ts';

/**
 * Everything that an outsider can see after the run: the logs of both vendors, people's actions, and the output of the
 * commands. None of it comes from the code under test, except the product's own reports.
 */
export interface Evidence {
  readonly agreed: Agreed;
  readonly bill: {
    readonly creditsCharged: number;
    /** Oldest first. */
    readonly requests: readonly LoggedRequest[];
  };
  /** All people whom the vendor knows. */
  readonly people: readonly Person[];
  readonly companies: readonly Company[];
  readonly hubSpot: PortalState;
  readonly erased: readonly Erased[];
  readonly undone: readonly Undone[];
  readonly rejected: readonly Rejected[];
  readonly quiet: readonly Quiet[];
  /** Times when HubSpot accepted no writes and the clocks were right. */
  readonly closed: readonly Quiet[];
  /**
   * Times of the vendor's rate refusals: from when every worker has heard one and earlier requests have arrived, until
   * its end.
   */
  readonly refusals: readonly Quiet[];
  /** Records that had been given up after HubSpot's refusal, when people requested everything again. */
  readonly refusedForGood: readonly string[];
  /** Everything that the tables hold of questions, unencrypted. */
  readonly stored: string;
  readonly resolved: readonly Resolved[];
  readonly prices: readonly AgreedPrice[];
  readonly backfills: readonly Backfilled[];
  readonly accepted: readonly Accepted[];
  /** Time when people requested every existing record. */
  readonly askedForAllAtMs: number;
  readonly endedAtMs: number;
  readonly told: Told;
  /** All log lines. */
  readonly logs: string;
}

/** Settings of the installation and of both vendors. */
export interface Agreed {
  readonly perDay: number;
  /** A budget for one purpose. */
  readonly purpose: { readonly name: string; readonly perDay: number } | undefined;
  readonly timeZone: string;
  /** Days for which an answer is reused. */
  readonly freshDays: number;
  readonly rateAlgorithm: 'fixed' | 'sliding' | 'bucket';
  readonly rateLimitPerMinute: number;
  readonly appId: number;
  /** Latency of a request to HubSpot. */
  readonly portalLatencyMs: number;
  /** Whether HubSpot processes unanswered writes late. */
  readonly hasLateWrites: boolean;
  readonly wantPhone: boolean;
  /** Job titles are proposed, and not written. */
  readonly isShadowed: boolean;
  /** Contacts of this lifecycle stage are left out; none if absent. */
  readonly barredStage?: string | undefined;
  /** No round had any fault. */
  readonly isUndisturbed: boolean;
  /** The only faults were sleeping workers, so each worker hears its answer in the end. */
  readonly areAllHeard: boolean;
  /** No worker had a fault. */
  readonly isUnstruck: boolean;
  /** In addition, no store failed, no clock differed, and no request to the vendor took long on its way. */
  readonly isStraight: boolean;
}

/** A contact that was deleted because its person asked for it. */
export interface Erased {
  readonly id: string;
  readonly atMs: number;
  /** Time when its webhook had been processed, if no fault prevented it. */
  readonly toldAtMs?: number;
  /** HubSpot's values at that time. */
  readonly properties: Readonly<Record<string, string>>;
}

/** A doubt that a person resolved as charged or not. */
export interface Resolved {
  readonly atMs: number;
  readonly operation: string;
  readonly charged: boolean;
}

/** A value that a person restored; absent if there was none before. */
export interface Undone {
  readonly id: string;
  readonly atMs: number;
  readonly property: string;
  readonly to: string | null;
}

/** A match that a person rejected, with HubSpot's values at that time. */
export interface Rejected {
  readonly objectType: 'contacts' | 'companies';
  readonly id: string;
  readonly atMs: number;
  readonly values: Readonly<Record<string, string>>;
}

/** Highest price that a person agreed to for a record, as ledger and command name it: `contacts#1`. */
export interface AgreedPrice {
  readonly record: string;
  readonly atMs: number;
  readonly credits: number;
}

/** A backfill that a person started. */
export interface Backfilled {
  readonly id: string;
  readonly objectType: 'contacts' | 'companies';
  readonly atMs: number;
  /** Maximum of its quote, in total and for one record. */
  readonly worst: number;
  readonly dearest: number;
  readonly halts: readonly Halt[];
  /** `backfill status <id> --json` at the end. */
  readonly status: string;
}

/** A stop of a backfill, or a pause until it was resumed. */
export interface Halt {
  readonly atMs: number;
  untilMs?: number;
  /** Possible cost of requests in progress, as the command said; unknown if the command was cut off. */
  readonly maxCredits?: number | undefined;
}

/** Time when a person accepted all proposals. */
export interface Accepted {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A time without faults of workers and vendor; a store may fail a few times. */
export interface Quiet {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the card in HubSpot shows of a record. */
export interface Card {
  readonly creditsSpent: number;
  readonly standing: {
    readonly kind: string;
    readonly reason?: string;
    readonly outcome?: { readonly kind: string };
    readonly until?: string | undefined;
    readonly untilMs?: number;
    readonly afterMs?: number | undefined;
  };
  readonly nextCheckAtMs?: number | undefined;
  readonly values: readonly { readonly property: string; readonly now: string }[];
}

/** The product's own reports, as printed. */
export interface Told {
  /** `ledger export --csv` */
  readonly ledger: string;
  /** `ledger verify --json` */
  readonly verified: string;
  /** `spend --json` */
  readonly spend: string;
  /** `runs verify --json` */
  readonly runs: string;
  /** `explain <record> --json` and the card of each record that was ever created; absent if the record is unknown. */
  readonly records: readonly {
    readonly name: string;
    readonly explained: string | undefined;
    readonly card?: Card | undefined;
  }[];
  /** Waiting messages, and dead letters. */
  readonly queued: number;
  readonly dead: number;
}
