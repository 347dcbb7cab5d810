import { hubspot } from '@hubspot/ui-extensions';
import { ADDRESS } from '../cards/address.ts';
import { type CardObjectType, type DecisionReply, type FindingWish, readReply } from '../cards/service.ts';

interface Row {
  readonly what: string;
  readonly otherwise: string;
  readonly sinceMs?: number | undefined;
}

export type BackfillStep = 'start' | 'approve' | 'pause' | 'resume' | 'stop';

/** A situation that needs a person's decision. */
export type Need = Row &
  (
    | { readonly kind: 'stop'; readonly code?: string | undefined; readonly toDo: string }
    /** A stop of a past day, because of which leads waited. */
    | {
        readonly kind: 'past-stop';
        readonly code: string;
        readonly day: string;
        readonly toMs: number;
        readonly leads: number;
        /** The first of these leads, each with its time: `contacts#123`. */
        readonly waited: readonly { readonly record: string; readonly ms: number }[];
        /** Limit of the budget that would have been enough for them. */
        readonly enoughCredits?: number | undefined;
      }
    | {
        readonly kind: 'doubt';
        /** Absent while an answer may still come, and in the row that counts the unlisted doubts. */
        readonly doubt?: { readonly questionKey: string; readonly reservationId: string } | undefined;
        /** Time from which a person can decide. Absent if it has come. */
        readonly fromMs?: number | undefined;
        /** `contacts#123` */
        readonly record?: string | undefined;
        readonly credits?: number | undefined;
        readonly toDo: string;
      }
    | {
        readonly kind: 'backfill';
        readonly backfillId: string;
        readonly moves: readonly BackfillStep[];
        /** Highest price of a start or an approval. */
        readonly maxCredits: number;
        /** Expected and highest cost of all its records, with the trial. */
        readonly expectedCredits?: number | undefined;
        readonly atMostCredits?: number | undefined;
        /** Days until the budgets have covered its expected cost. Absent if they leave nothing for it. */
        readonly days?: number | undefined;
        /** Results of the trial. */
        readonly trial?: { readonly matchRate?: number | undefined; readonly damage: number } | undefined;
        /** Records of the trial that were damaged or had no match: `contacts#123`. */
        readonly examples: readonly string[];
      }
    | { readonly kind: 'notice'; readonly toDo: string }
  );

export interface ReviewItem {
  readonly objectType: CardObjectType;
  readonly id: string;
  readonly kind: string;
  readonly reason: string;
  /** The other records that the reason is about: `contacts#123`. */
  readonly others: readonly string[];
  readonly hasAnswer: boolean;
  readonly sinceMs: number;
}

/** Waiting records of one purpose or cause. */
export interface Waiting {
  readonly purpose?: string | undefined;
  readonly records: number;
  readonly why: string;
  readonly nextMs?: number | undefined;
  readonly lastMs?: number | undefined;
  /** Set instead of `lastMs` if only the day is estimated: `2026-11-21`. */
  readonly lastDay?: string | undefined;
  /** Event that ends the wait, if no time does. */
  readonly until?: string | undefined;
  /** Present if a person may start records that wait because of the reserve for leads. */
  readonly admit?:
    | { readonly purpose: string; readonly records: number; readonly maxCredits: number }
    | undefined;
}

/** A started backfill that has not ended. */
export interface BackfillProgress {
  readonly backfillId: string;
  readonly objectType: CardObjectType;
  readonly scope: string;
  readonly state: string;
  readonly records: number;
  readonly ended: number;
  readonly matchRate?: number | undefined;
  readonly spentCredits: number;
  readonly atMostCredits?: number | undefined;
  /** Highest cost of the records that are left. */
  readonly maxCredits: number;
  readonly reason?: string | undefined;
  readonly days?: number | undefined;
  /** Who agreed to it, and when. */
  readonly startedBy?: string | undefined;
  readonly startedAtMs?: number | undefined;
  readonly moves: readonly BackfillStep[];
}

/** A charge of an answer about another person or company. */
export interface VendorClaim {
  /** `contacts#123` */
  readonly record: string;
  readonly atMs: number;
  readonly operation: string;
  readonly credits: number;
  /** The vendor's id of the request, if the vendor gave one. */
  readonly requestId?: string | undefined;
}

export interface Budget {
  readonly budget?: string | undefined;
  readonly label: string;
  readonly limitCredits: number;
  readonly usedCredits: number;
  readonly leftCredits: number;
  readonly keptCredits?: number | undefined;
  readonly resetsAtMs: number;
}

/** Figures of the last 30 days. */
export interface RuleFigures {
  readonly records: number;
  readonly filledFields: number;
  readonly matchRate?: number | undefined;
  readonly credits: number;
}

export interface Rule {
  readonly objectType: CardObjectType;
  readonly rule?: string | undefined;
  readonly conditions: readonly string[];
  readonly decision: string;
  readonly isBought: boolean;
  /** Absent if the policy has no rules at all: contacts and companies are then counted together. */
  readonly figures?: RuleFigures | undefined;
}

export interface LastLookup {
  /** `contacts#123` */
  readonly record?: string | undefined;
  /** Time of the booking. */
  readonly atMs: number;
  /** The day on which the charge counts: `2026-11-21`. */
  readonly day?: string | undefined;
  readonly operation: string;
  readonly purpose: string;
  readonly outcome: string;
  readonly credits: number;
  readonly askedBy?: string | undefined;
}

/** Times in epoch milliseconds, credits in whole numbers, rates from 0 to 1. */
export interface HomeData {
  readonly atMs: number;
  readonly timeZone: string;
  readonly needs: readonly Need[];
  readonly review: {
    readonly items: readonly ReviewItem[];
    readonly isMore: boolean;
    readonly toDo: string;
  };
  readonly spend: {
    readonly todayCredits: number;
    readonly monthCredits: number;
    readonly pendingCredits: number;
    readonly doubtfulCredits: number;
    readonly forecastCredits: number;
    readonly balanceCredits?: number | undefined;
    readonly budgets: readonly Budget[];
  };
  readonly waiting: readonly Waiting[];
  readonly backfills: readonly BackfillProgress[];
  readonly policy: {
    readonly version: string;
    readonly all: RuleFigures;
    readonly rules: readonly Rule[];
    readonly fields: readonly {
      readonly objectType: CardObjectType;
      readonly label: string;
      readonly write: string;
    }[];
  };
  readonly activity: readonly LastLookup[];
  /** Newest first. */
  readonly claims: readonly VendorClaim[];
}

/** A decision about the installation. */
export type HomeWish =
  | { readonly kind: 'stop-spending' | 'resume-spending' | 'refresh-figures' }
  | {
      readonly kind: 'resolve-doubt';
      readonly questionKey: string;
      readonly reservationId: string;
      readonly charged: boolean;
    }
  | {
      readonly kind: 'backfill';
      readonly backfillId: string;
      readonly move: BackfillStep;
      /** The price that the person saw. Only for a start and an approval. */
      readonly maxCredits?: number;
    }
  | { readonly kind: 'admit'; readonly purpose: string; readonly maxCredits: number }
  | { readonly kind: 'see-stop'; readonly code: string; readonly day: string; readonly toMs: number };

/** A decision about a finding of a record. */
export interface ReviewWish {
  readonly record: Pick<ReviewItem, 'objectType' | 'id'>;
  readonly wish: FindingWish;
}

const TIMEOUT_MS = 15_000;

/**
 * Reads the page's data.
 * @returns `undefined` before the first sweep.
 * @throws Error with a message for a person.
 */
export async function readHome(): Promise<HomeData | undefined> {
  const response = await hubspot.fetch(`${ADDRESS}/home`, { method: 'GET', timeout: TIMEOUT_MS });
  return (await readReply<{ readonly view?: HomeData }>(response)).view;
}

/**
 * Reads the reply to a decision.
 * @returns `undefined` while there is none.
 * @throws Error like `readHome`.
 */
export async function readDecision(requestId: string): Promise<DecisionReply | undefined> {
  const url = `${ADDRESS}/home?request=${requestId}`;
  const response = await hubspot.fetch(url, { method: 'GET', timeout: TIMEOUT_MS });
  return (await readReply<{ readonly reply?: DecisionReply }>(response)).reply;
}

/**
 * Sends a decision. A repetition with the same id has no effect.
 * @throws Error like `readHome`. `isServiceRefusal` recognises a refusal.
 */
export async function sendDecision(id: string, wish: HomeWish | ReviewWish): Promise<void> {
  const [path, body] =
    'record' in wish
      ? [`records/${wish.record.objectType}/${wish.record.id}/requests`, { id, ...wish.wish }]
      : ['home/requests', { id, ...wish }];
  await readReply(await hubspot.fetch(`${ADDRESS}/${path}`, { method: 'POST', timeout: TIMEOUT_MS, body }));
}
