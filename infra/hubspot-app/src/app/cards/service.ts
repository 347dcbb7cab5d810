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

/** A record's status: the service gives its name and why. Times in epoch milliseconds. */
export type CardStanding = { readonly label: string; readonly why: string } & (
  | { readonly kind: 'unknown' | 'under-way' | 'merged' | 'forgotten' }
  | {
      readonly kind: 'waiting';
      readonly untilMs: number;
    }
  | {
      readonly kind: 'ended';
      readonly outcome: {
        readonly kind: string;
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
  readonly writtenAtMs: number;
  readonly run: RunName;
}

export interface CardRun extends RunName {
  readonly atMs: number;
  readonly reason: string;
  readonly credits: number;
  readonly operation?: string | undefined;
  readonly answeredAtMs?: number | undefined;
}

export interface CardView {
  readonly standing: CardStanding;
  /** Name of the policy's rule that decides about it. */
  readonly rule?: string | undefined;
  readonly creditsSpent: number;
  /** Probability, 0 to 1. */
  readonly stillTrue?: number | undefined;
  readonly values: readonly Value[];
  readonly runs: readonly CardRun[];
}

export interface CardQuote {
  readonly questions: readonly { readonly operation: string; readonly credits: number }[];
  /** At most. */
  readonly credits: number;
  readonly reason?: string | undefined;
}

export type CardReply =
  | { readonly kind: 'quoted'; readonly quote: CardQuote }
  | {
      readonly kind: 'undone';
      readonly restored: readonly string[];
      readonly kept: readonly { readonly property: string; readonly reason: string }[];
      readonly next?: CardQuote | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** What a person asks for. */
export type Wish =
  | { readonly kind: 'quote' }
  | { readonly kind: 'enrich'; readonly maxCredits: number }
  | { readonly kind: 'undo'; readonly property?: string; readonly run?: RunName }
  | { readonly kind: 'wrong-match'; readonly run: RunName };

export interface CardAnswer {
  readonly view: CardView;
  readonly progress?: { readonly standing?: CardStanding; readonly reply?: CardReply | undefined };
}

/** @throws Error where the installation does not answer, or refuses. */
export async function show(record: CardRecord, requestId?: string): Promise<CardAnswer> {
  const query = requestId === undefined ? '' : `?request=${requestId}`;
  return read(await hubspot.fetch(`${urlOf(record)}${query}`, { method: 'GET', timeout: TIMEOUT_MS }));
}

/**
 * HubSpot repeats a request that found no connection, and people press twice: the id makes both the same request.
 * @throws Error like `show`.
 */
export async function ask(record: CardRecord, id: string, wish: Wish): Promise<void> {
  const body = { id, ...wish };
  await read(await hubspot.fetch(`${urlOf(record)}/requests`, { method: 'POST', timeout: TIMEOUT_MS, body }));
}

/** HubSpot waits no longer. */
const TIMEOUT_MS = 15_000;

function urlOf({ objectType, id }: CardRecord): string {
  return `${ADDRESS}/records/${objectType}/${id}`;
}

async function read(response: Response): Promise<CardAnswer> {
  const body = (await response.json()) as CardAnswer & { readonly refused?: string };
  if (response.status < 400) return body;
  throw new Error(body.refused ?? `status ${response.status}`);
}
