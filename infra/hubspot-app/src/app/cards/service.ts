import { hubspot } from '@hubspot/ui-extensions';
import { ADDRESS } from './address.ts';

export type CardObjectType = 'contacts' | 'companies';

export interface CardRecord {
  readonly objectType: CardObjectType;
  readonly id: string;
}

export interface RunName {
  readonly recordId: string;
  readonly number: number;
}

/** A record's status. The installation provides its label and reason. Times in epoch milliseconds. */
export type CardStanding = { readonly label: string; readonly why: string } & (
  | { readonly kind: 'unknown' | 'under-way' | 'merged' | 'forgotten' }
  | {
      readonly kind: 'waiting';
      readonly untilMs: number;
      /** Event that ends the wait. Absent if the wait ends at a time. */
      readonly until?: string | undefined;
      /** Earliest time of this event, if it is known. */
      readonly afterMs?: number | undefined;
      /** Credits charged so far. */
      readonly credits: number;
    }
  | {
      readonly kind: 'ended';
      readonly outcome: {
        readonly kind: string;
        readonly reason: { readonly code: string };
        readonly status?: string | undefined;
        readonly atMs: number;
        readonly credits: number;
      };
    }
);

export interface Value {
  readonly property: string;
  readonly label: string;
  readonly now: 'ours' | 'changed' | 'empty';
  /** The former value and the present one, as HubSpot shows them. Empty texts for blanks. */
  readonly before: string;
  readonly value: string;
  /** Time of our write. */
  readonly writtenAtMs: number;
  readonly run: RunName;
}

export interface CardRun extends RunName {
  readonly atMs: number;
  readonly reason: string;
  readonly credits: number;
  /** The asker, for a person. */
  readonly askedBy?: string | undefined;
  readonly operation?: string | undefined;
  readonly answeredAtMs?: number | undefined;
}

export interface CardView {
  readonly standing: CardStanding;
  /** Whether the record waits in a queue. A person's request skips the queue. */
  readonly isQueued?: boolean | undefined;
  /** Name of the policy's rule that decided about the record. Absent if none has. */
  readonly rule?: string | undefined;
  readonly creditsSpent: number;
  /** Credits of runs that are not in `runs`. */
  readonly unlistedCredits: number;
  /** Time of the last answer. */
  readonly checkedAtMs?: number | undefined;
  /** Time from which the record is due for its next lookup. Absent if it is not refreshed. */
  readonly nextCheckAtMs?: number | undefined;
  readonly values: readonly Value[];
  readonly runs: readonly CardRun[];
  readonly findings: readonly CardFinding[];
  /** Time zone of the policy. */
  readonly timeZone: string;
}

/** A finding that needs a decision. `foundAtMs` identifies it. */
export interface CardFinding {
  readonly kind: string;
  readonly reason: string;
  /** The other records that the reason is about: `contacts#123`. */
  readonly others?: readonly string[] | undefined;
  readonly foundAtMs: number;
  /** Whether accepting the finding can write values. */
  readonly hasAnswer: boolean;
}

/** A value that accepting a finding would write. */
export interface OfferedValue {
  readonly property: string;
  readonly label: string;
  /** The present value. `null` if it is blank. */
  readonly now: string | null;
  readonly proposed: string;
  /** Set if accepting does not write the value. It shows whom the answer is about. */
  readonly isKept?: boolean | undefined;
  /** Set if the value says whom the record is about, and the answer is about another person or company. */
  readonly isIdentity?: boolean | undefined;
}

export interface CardQuote {
  readonly questions: readonly { readonly operation: string; readonly credits: number }[];
  /** Highest price. */
  readonly credits: number;
  /** Labels of blank properties that the answers may fill. */
  readonly fills?: readonly string[] | undefined;
  /** Name of the policy's rule that decides now. */
  readonly rule?: string | undefined;
  /** Set if this rule allows no next check. */
  readonly isNeverDue?: boolean | undefined;
  readonly reason?: string | undefined;
  /** What a person should know before the purchase. */
  readonly warning?: string | undefined;
  /** Present if a request that costs credits would wait now: the reason, and what ends the wait. */
  readonly waits?: string | undefined;
}

export type CardReply =
  | { readonly kind: 'quoted'; readonly quote: CardQuote }
  | {
      readonly kind: 'undone';
      readonly restored: readonly string[];
      readonly kept: readonly { readonly property: string; readonly reason: string }[];
      readonly next?: CardQuote | undefined;
    }
  | DecisionReply;

/** The reply to a decision, or to a request to see the values before it. */
export type DecisionReply =
  /** `says`: what was looked up, and the record beside the answer. Only of a contradiction or a job change. */
  | {
      readonly kind: 'previewed';
      readonly says?: string | undefined;
      /** Set if the answer of a contradiction fits the record's email, page or domain. */
      readonly fitsIdentifier?: true | undefined;
      readonly changes: readonly OfferedValue[];
    }
  | {
      readonly kind: 'decided';
      readonly what: string;
      readonly kept?: readonly { readonly property: string; readonly reason: string }[] | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** What accepting a finding would write. */
export type FindingPreview = Extract<DecisionReply, { readonly kind: 'previewed' }>;

/** A request about a finding, identified as the page showed it. */
export type FindingWish = { readonly finding: string; readonly foundAtMs: number } & (
  | { readonly kind: 'preview' }
  /** `isOtherPerson`: the answer to a job change is about another person. */
  | { readonly kind: 'reject'; readonly isOtherPerson?: true }
  /** `properties`: only these are written. `confirmsIdentity`: the person confirmed another identity. */
  | { readonly kind: 'accept'; readonly properties?: readonly string[]; readonly confirmsIdentity?: true }
);

/** A person's request for a record. */
export type Wish =
  | FindingWish
  | { readonly kind: 'enrich'; readonly maxCredits: number }
  | { readonly kind: 'undo'; readonly property?: string; readonly run?: RunName }
  | { readonly kind: 'wrong-match'; readonly run: RunName };

export interface CardAnswer {
  readonly view: CardView;
  readonly progress?: { readonly standing?: CardStanding; readonly reply?: CardReply | undefined };
}

/**
 * Reads the card's data.
 * @throws Error with a message for a person, if the installation does not answer or refuses. `isServiceRefusal`
 * recognises a refusal.
 */
export async function show(record: CardRecord, requestId?: string): Promise<CardAnswer> {
  const query = requestId === undefined ? '' : `?request=${requestId}`;
  return readReply<CardAnswer>(
    await hubspot.fetch(`${urlOf(record)}${query}`, { method: 'GET', timeout: TIMEOUT_MS }),
  );
}

/**
 * Sends a request. HubSpot repeats it after a failed connection, and people press a button twice. The same id makes
 * these one request.
 * @throws Error like `show`.
 */
export async function ask(
  record: CardRecord,
  id: string,
  wish: Wish | { readonly kind: 'quote' },
): Promise<void> {
  const body = { id, ...wish };
  await readReply(
    await hubspot.fetch(`${urlOf(record)}/requests`, { method: 'POST', timeout: TIMEOUT_MS, body }),
  );
}

/** HubSpot's maximum. */
const TIMEOUT_MS = 15_000;

function urlOf({ objectType, id }: CardRecord): string {
  return `${ADDRESS}/records/${objectType}/${id}`;
}

/** The installation refused the request and did nothing. */
class RefusedByInstallation extends Error {}

export function isServiceRefusal(error: unknown): boolean {
  return error instanceof RefusedByInstallation;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The reason is unknown.';
}

/** Reads the reply. @throws Error with a message for a person. `isServiceRefusal` recognises a refusal. */
export async function readReply<R extends object>(response: Response): Promise<R> {
  if (response.status >= 500) throw new Error('The installation is busy or cannot reach HubSpot.');
  const body = (await response.json()) as R & { readonly refused?: string };
  if (response.status < 400) return body;
  throw new RefusedByInstallation(REFUSED_WORDS[body.refused ?? ''] ?? NOT_TAKEN);
}

const NOT_TAKEN = 'The installation did not accept the request. Reload the page and try again.';
const CLOCKS =
  "The clocks of HubSpot and the installation differ. The installation's clock must be corrected.";

/** Messages by the installation's reason. */
export const REFUSED_WORDS: Readonly<Record<string, string>> = {
  'other-portal': 'The installation works for another HubSpot account.',
  'wrong-signature': "The installation has another client secret than the app. Enter the app's secret again.",
  'too-old': CLOCKS,
  'from-the-future': CLOCKS,
};
