import { MINUTE_MS } from '#inside/kernel/clock.ts';
import type { Settings as ServiceSettings } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { SandboxSettings } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import type { Wanted } from '../builders/forms.ts';
import type { FusePlan } from '../builders/fuse.ts';
import type { StoreFault } from '../builders/store-trouble.ts';

export type Fault = ServiceSettings['faults'][number];
export type PortalFault = SandboxSettings['faults'][number];

/** What a person does to a record in HubSpot, so long after the round began. */
export interface Act {
  readonly kind:
    | 'edit'
    | 'clear'
    | 'opt-out'
    | 'request'
    | 'erase'
    | 'undo'
    | 'identity'
    | 'employer'
    /** Another address or domain, or one more: the property tells which way. */
    | 'correct'
    /** At the card, for a credit or two: the property tells how many. */
    | 'agree'
    /**
     * Of no record: a backfill, or the newest one, of the object type that the property tells. It is paused or stopped
     * once so many more questions are sent as the record tells.
     */
    | 'backfill'
    | 'pause'
    | 'resume'
    | 'stop'
    | 'undo-backfill'
    /** Of no record: every proposal is accepted. */
    | 'accept'
    /** Of no record: they say what they believe of the doubts. */
    | 'resolve'
    /** Of no record: what is stored of the rate is damaged. */
    | 'damage';
  /** Of the records created by then: counted round and round. */
  readonly record: number;
  /** Which property, counted in the same way. */
  readonly property: number;
  readonly afterMs: number;
}

/** What befalls the system for a while. */
export interface Trouble {
  /** Befall the first workers of the round, one each. */
  readonly strikes: readonly FusePlan[];
  /** Befall the first commands of the round, one each. */
  readonly commandStrikes?: readonly FusePlan[];
  /** Befalls each sweep of the round. */
  readonly sweepStrike: FusePlan | undefined;
  /** How far the clocks of the workers, and that of the sweep, are ahead. */
  readonly skewsMs: readonly number[];
  readonly sweepSkewMs: number;
  readonly serviceFaults: readonly Fault[];
  readonly portalFaults: readonly PortalFault[];
  readonly storeFaults: readonly StoreFault[];
  /** Share of the writes whose first answer is lost, so that the library below us repeats them. */
  readonly lostAnswers: number;
  /** How far the index of the stores is behind. */
  readonly indexLagMs: number;
  /** How much later HubSpot processes some writes that it does not answer; 0 for none. */
  readonly lateMs: number;
  /** How long requests to the vendor are under way at most before it sees them. */
  readonly lineMs: number;
  /** Whether the account's administrator has a rule that our values break. */
  readonly isRuled: boolean;
}

/** What happens between two looks of the sweep. */
export interface Round extends Trouble {
  readonly created: readonly Wanted[];
  /** They come one after the other over the whole round instead of at its beginning, and each is worked on at once. */
  readonly isSteady?: boolean;
  /** Whether a file brings them instead of people. */
  readonly isImport: boolean;
  readonly acts: readonly Act[];
  /** Credits that the vendor's balance is set to. */
  readonly balance: number | undefined;
  /** Whether the installation is switched off: nobody works, and nothing is swept. */
  readonly isOff: boolean;
  readonly lastsMs: number;
}

/** Nothing befalls anybody. */
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

/** Nobody comes, and nothing is done. */
export const QUIET_ROUND: Round = {
  ...QUIET,
  created: [],
  isImport: false,
  acts: [],
  balance: undefined,
  isOff: false,
  lastsMs: 20 * MINUTE_MS,
};

/** Everything that is drawn before a run: the run itself decides nothing. */
export interface Plan {
  readonly seed: number;
  readonly workers: number;
  readonly perDay: number;
  /** A budget for one purpose alone. */
  readonly purpose: { readonly name: 'live' | 'manual' | 'import'; readonly perDay: number } | undefined;
  readonly timeZone: string;
  /** For how long an answer is used again. */
  readonly freshDays: number;
  readonly noMatchCost: ServiceSettings['noMatchCost'];
  readonly rateAlgorithm: ServiceSettings['rateAlgorithm'];
  readonly rateLimitPerMinute: number;
  /** How long the vendor takes to answer. */
  readonly latencyMs: number;
  readonly portalLatencyMs: number;
  readonly wantPhone: boolean;
  /** The policy leaves out contacts of this lifecycle stage; without it, it has no rules. */
  readonly barredStage?: string | undefined;
  /** The app is installed so long after the first records; at the beginning without it. */
  readonly agedMs?: number;
  /** Job titles are proposed, and not written. */
  readonly isShadowed?: boolean;
  readonly duplicateRate: number;
  readonly outOfOrder: boolean;
  /** What people say of the doubts, in turn. */
  readonly believed: readonly boolean[];
  readonly rounds: readonly Round[];
  /** So many companies come in the end, and are enriched in the calm. */
  readonly companies: number;
  /** Whom the vendor's search of companies finds. */
  readonly companyMatching: Exclude<ServiceSettings['companyMatching'], 'swapped'>;
  /** So many of the companies are asked for by people while they are refreshed. */
  readonly hurried: number;
  /** Befalls the refresh of what is stale after that calm. */
  readonly refresh: Trouble;
}
