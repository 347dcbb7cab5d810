import { MINUTE_MS } from '#shared/kernel';
import type { Settings as ServiceSettings } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { SandboxSettings } from '../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import type { Wanted } from '../../harness/forms.ts';
import type { FusePlan } from '../../harness/fuse.ts';
import type { StoreFault } from '../../harness/store-trouble.ts';

export type Fault = ServiceSettings['faults'][number];
export type PortalFault = SandboxSettings['faults'][number];

/** An action of a person on a record in HubSpot, at a time after the start of the round. */
export interface Act {
  readonly kind:
    | 'edit'
    | 'clear'
    | 'opt-out'
    | 'request'
    | 'erase'
    | 'undo'
    /** A person says that the last match is another person or company. */
    | 'wrong-match'
    | 'identity'
    | 'employer'
    /** Another or an additional address or domain; the property selects the kind. */
    | 'correct'
    /** A request at the card, for a credit or two; the property selects how many. */
    | 'agree'
    /**
     * Without a record: a backfill, or the newest one, of the object type that the property selects. It is paused or
     * stopped after as many more questions as the record's number.
     */
    | 'backfill'
    | 'pause'
    | 'resume'
    | 'stop'
    | 'undo-backfill'
    /** Without a record: every proposal is accepted. */
    | 'accept'
    /** Without a record: people resolve doubts by belief. */
    | 'resolve'
    /** Without a record: the stored rate is damaged. */
    | 'damage';
  /** Number of an existing record, modulo their count. */
  readonly record: number;
  /** Number of a property, in the same way. */
  readonly property: number;
  readonly afterMs: number;
}

/** Faults of the system for a while. */
export interface Trouble {
  /** Faults of the first workers of the round, one each. */
  readonly strikes: readonly FusePlan[];
  /** Faults of the first commands of the round, one each. */
  readonly commandStrikes?: readonly FusePlan[];
  /** Fault of each sweep of the round. */
  readonly sweepStrike: FusePlan | undefined;
  /** How far the clocks of the workers and of the sweep are ahead. */
  readonly skewsMs: readonly number[];
  readonly sweepSkewMs: number;
  readonly serviceFaults: readonly Fault[];
  readonly portalFaults: readonly PortalFault[];
  readonly storeFaults: readonly StoreFault[];
  /** Share of the writes whose first answer is lost, so that the client library repeats them. */
  readonly lostAnswers: number;
  /** Lag of the stores' index. */
  readonly indexLagMs: number;
  /** Delay of some writes that HubSpot does not answer; 0 for none. */
  readonly lateMs: number;
  /** Longest time that a request to the vendor is on its way. */
  readonly lineMs: number;
  /** Whether the account's administrator has a validation rule that our values break. */
  readonly isRuled: boolean;
}

/** Events between two sweeps. */
export interface Round extends Trouble {
  readonly created: readonly Wanted[];
  /** Records arrive over the whole round instead of at its beginning, and each is handled at once. */
  readonly isSteady?: boolean;
  /** Whether an import creates them instead of people. */
  readonly isImport: boolean;
  readonly acts: readonly Act[];
  /** Credits to which the vendor's balance is set. */
  readonly balance: number | undefined;
  /** Whether the installation is switched off: no worker and no sweep runs. */
  readonly isOff: boolean;
  readonly lastsMs: number;
}

/** No faults. */
export const QUIET: Trouble = {
  strikes: [],
  sweepStrike: undefined,
  skewsMs: [],
  sweepSkewMs: 0,
  serviceFaults: [],
  portalFaults: [],
  storeFaults: [],
  lateMs: 0,
  lineMs: 0,
  isRuled: false,
  lostAnswers: 0,
  indexLagMs: 0,
};

/** No arrivals and no actions. */
export const QUIET_ROUND: Round = {
  ...QUIET,
  created: [],
  isImport: false,
  acts: [],
  balance: undefined,
  isOff: false,
  lastsMs: 20 * MINUTE_MS,
};

/** Of a theme that adds its own troubles: a budget that suffices, and no refresh. */
export const UNTROUBLED = { perDay: 1_000, purpose: undefined, companies: 0, refresh: QUIET } as const;

/** All random values of a run. The run itself draws none. */
export interface Plan {
  readonly seed: number;
  readonly workers: number;
  readonly perDay: number;
  /** A budget for one purpose alone. */
  readonly purpose: { readonly name: 'live' | 'manual' | 'import'; readonly perDay: number } | undefined;
  readonly timeZone: string;
  /** Days for which an answer is reused. */
  readonly freshDays: number;
  readonly noMatchCost: ServiceSettings['noMatchCost'];
  readonly rateAlgorithm: ServiceSettings['rateAlgorithm'];
  readonly rateLimitPerMinute: number;
  /** Latency of the vendor. */
  readonly latencyMs: number;
  readonly portalLatencyMs: number;
  readonly wantPhone: boolean;
  /** The policy excludes contacts of this lifecycle stage; if absent, it has no rules. */
  readonly barredStage?: string | undefined;
  /** Time from the first records to the installation; if absent, the app is installed at the beginning. */
  readonly agedMs?: number;
  /** Job titles are proposed, and not written. */
  readonly isShadowed?: boolean;
  readonly duplicateRate: number;
  readonly outOfOrder: boolean;
  /** People's beliefs about the doubts, in order. */
  readonly believed: readonly boolean[];
  readonly rounds: readonly Round[];
  /** Number of companies that arrive at the end, without faults. */
  readonly companies: number;
  /** Number of these companies that people request during the refresh. */
  readonly hurried: number;
  /** Faults of the refresh after the calm. */
  readonly refresh: Trouble;
}
