import type {
  Company,
  LoggedRequest,
  Person,
} from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { PortalState } from '../../../infra/sandbox/hubspot/state.ts';

/**
 * What a stranger can see once all has come to rest: what both vendors wrote down, what people did, and what the
 * commands print. Nothing here was made by the code that is judged, but for what it tells of itself.
 */
export interface Evidence {
  readonly agreed: Agreed;
  readonly bill: {
    readonly creditsCharged: number;
    /** Oldest first. */
    readonly requests: readonly LoggedRequest[];
  };
  /** Everybody whom the vendor knows. */
  readonly people: readonly Person[];
  readonly companies: readonly Company[];
  readonly hubSpot: PortalState;
  readonly erased: readonly Erased[];
  readonly undone: readonly Undone[];
  readonly quiet: readonly Quiet[];
  /** When HubSpot took no writes, and the clocks were right. */
  readonly closed: readonly Quiet[];
  /** What the vendor's refusals of the rate told: when they were heard, and all before them had arrived; and until when. */
  readonly refusals: readonly Quiet[];
  /** Records that had been given up after HubSpot's refusal when people asked for everything once more. */
  readonly refusedForGood: readonly string[];
  /** Everything that the tables hold of questions, in the clear. */
  readonly stored: string;
  readonly resolved: readonly Resolved[];
  readonly prices: readonly AgreedPrice[];
  readonly backfills: readonly Backfilled[];
  readonly accepted: readonly Accepted[];
  /** When people asked for every record that there was. */
  readonly askedForAllAtMs: number;
  readonly endedAtMs: number;
  readonly told: Told;
  /** Everything that was logged. */
  readonly logs: string;
}

/** What was agreed on before: the settings of the installation and of both vendors. */
export interface Agreed {
  readonly perDay: number;
  /** A budget for one purpose. */
  readonly purpose: { readonly name: string; readonly perDay: number } | undefined;
  readonly timeZone: string;
  /** For how long an answer is used again. */
  readonly freshDays: number;
  readonly rateAlgorithm: 'fixed' | 'sliding' | 'bucket';
  readonly rateLimitPerMinute: number;
  readonly appId: number;
  /** How long a request to HubSpot is under way. */
  readonly portalLatencyMs: number;
  /** Whether HubSpot processes writes late that it has not answered. */
  readonly hasLateWrites: boolean;
  readonly wantPhone: boolean;
  /** Job titles are proposed, and not written. */
  readonly isShadowed: boolean;
  /** Contacts of this lifecycle stage are left out; nobody is where it is absent. */
  readonly barredStage?: string | undefined;
  /** Whom the vendor's search of companies finds. */
  readonly companyMatching: 'exact' | 'fuzzy' | 'several';
  /** Nothing befell anybody, in no round. */
  readonly isUndisturbed: boolean;
  /** Nothing befell anybody but that workers slept: each of them hears its answer in the end. */
  readonly areAllHeard: boolean;
  /** No worker was struck. */
  readonly isUnstruck: boolean;
  /** Nor did a store fail, a clock differ, or a request to the vendor take long on its way. */
  readonly isStraight: boolean;
}

/** A contact that was deleted because its person asked for it. */
export interface Erased {
  readonly id: string;
  readonly atMs: number;
  /** When its webhook had been worked on, if nobody was in the way. */
  readonly toldAtMs?: number;
  /** What HubSpot held of it then. */
  readonly properties: Readonly<Record<string, string>>;
}

/** A doubt of which a person said whether it was charged. */
export interface Resolved {
  readonly atMs: number;
  readonly operation: string;
  readonly charged: boolean;
}

/** A value that somebody brought back; nothing where there was none before. */
export interface Undone {
  readonly id: string;
  readonly atMs: number;
  readonly property: string;
  readonly to: string | null;
}

/** What somebody agreed to pay at most for a record, as ledger and command name it: `contacts#1`. */
export interface AgreedPrice {
  readonly record: string;
  readonly atMs: number;
  readonly credits: number;
}

/** A backfill that a person began. */
export interface Backfilled {
  readonly id: string;
  readonly objectType: 'contacts' | 'companies';
  readonly atMs: number;
  /** The most that its quote said, in all and for one record. */
  readonly worst: number;
  readonly dearest: number;
  readonly halts: readonly Halt[];
  /** `backfill status <id> --json` in the end. */
  readonly status: string;
}

/** A backfill was stopped, or paused until it was resumed. */
export interface Halt {
  readonly atMs: number;
  untilMs?: number;
  /** What requests in flight could still cost, as the command said; unknown where it was cut off. */
  readonly maxCredits?: number | undefined;
}

/** A person accepted all proposals then. */
export interface Accepted {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Tampered {
  readonly what: string;
  readonly isSeen: boolean;
}

/** A time in which nothing befell the workers and the vendor, but for a store that failed a few times. */
export interface Quiet {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the product says of itself, as it is printed. */
export interface Told {
  /** `ledger export --csv` */
  readonly ledger: string;
  /** `ledger verify --json` */
  readonly verified: string;
  /** `spend --json` */
  readonly spend: string;
  /** `runs verify --json` */
  readonly runs: string;
  /** `explain <record> --json` of each record that was ever created; nothing where it is not known. */
  readonly records: readonly { readonly name: string; readonly explained: string | undefined }[];
  /** What was done to the books by hand, and whether anybody saw it. */
  readonly tampered: readonly Tampered[];
  /** Messages that wait, and those that were given up. */
  readonly queued: number;
  readonly dead: number;
}
