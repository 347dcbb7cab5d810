import { hubspot } from '@hubspot/ui-extensions';
import type { RequestProgress, ShownReply } from '../../../../../functions/serve-hubspot/handler.ts';
import type { CardRequest } from '../../../../../functions/serve-hubspot/schemas.ts';
import type { PageWish } from '../../../../../shared/app.ts';
import type { RecordName } from '../../../../../shared/crm/index.ts';
import type { DeepReadonly } from '../../../../../shared/kernel/index.ts';
import type { Quote, RecordView } from '../../../../../shared/requests/index.ts';
import { ADDRESS } from './address.ts';

/** These types are the installation's own. Type imports are erased: the uploaded code has none of the installation's. */
export type CardRecord = RecordName;
export type CardObjectType = CardRecord['objectType'];
export type CardView = RecordView;
export type CardStanding = CardView['standing'];
export type CardRun = CardView['runs'][number];
export type CardFinding = CardView['findings'][number];
export type Value = CardView['values'][number];
export type RunName = Value['run'];
export type CardQuote = Quote;
export type CardReply = ShownReply;
/** What accepting a finding would write. */
export type FindingPreview = Extract<CardReply, { readonly kind: 'previewed' }>;
/** A value that accepting a finding would write. */
export type OfferedValue = FindingPreview['changes'][number];

/** The content of a request, without the id that all its repetitions share. */
export type Wished<Request> = Request extends unknown ? DeepReadonly<Omit<Request, 'id'>> : never;
/**
 * The content of a request that an extension takes, by its kind. Any content where no extension takes it: the
 * installation refuses it.
 */
export type ExtensionWish<Kind extends string, Known = PageWish> = Kind extends string
  ? [Extract<Known, { readonly kind: Kind }>] extends [never]
    ? { readonly kind: Kind; readonly [name: string]: unknown }
    : DeepReadonly<Extract<Known, { readonly kind: Kind }>>
  : never;
/** A request about a finding, identified as the page showed it. */
export type FindingWish = ExtensionWish<'preview' | 'accept' | 'reject'>;
/** A person's request for a record. */
export type Wish =
  | Exclude<Wished<CardRequest>, { readonly kind: 'quote' }>
  | ExtensionWish<'undo' | 'wrong-match'>
  | FindingWish;

export interface CardAnswer {
  readonly view: CardView;
  readonly progress?: RequestProgress;
}

/** HubSpot's maximum. */
const TIMEOUT_MS = 15_000;

/**
 * Asks the installation; with a body, it is a request. HubSpot repeats a request after a failed connection, and people
 * press a button twice. The same id makes these one request.
 * @throws Error with a message for a person, if the installation does not answer or refuses. `isServiceRefusal`
 * recognises a refusal.
 */
export async function call<R extends object>(path: string, body?: Record<string, unknown>): Promise<R> {
  const method = body ? 'POST' : 'GET';
  const response = await hubspot.fetch(`${ADDRESS}/${path}`, {
    method,
    timeout: TIMEOUT_MS,
    ...(body && { body }),
  });
  if (response.status >= 500) throw new Error('The installation is busy or cannot reach HubSpot.');
  const reply = (await response.json()) as R & { readonly refused?: string };
  if (response.status < 400) return reply;
  throw new RefusedByInstallation(REFUSED_WORDS[reply.refused ?? ''] ?? NOT_TAKEN);
}

/** Reads the card's data. @throws Error like `call`. */
export function show({ objectType, id }: CardRecord, requestId?: string): Promise<CardAnswer> {
  return call(`records/${objectType}/${id}${requestId === undefined ? '' : `?request=${requestId}`}`);
}

/** Sends a request for a record. @throws Error like `call`. */
export async function ask(
  { objectType, id: recordId }: CardRecord,
  id: string,
  wish: Wish | { readonly kind: 'quote' },
): Promise<void> {
  await call(`records/${objectType}/${recordId}/requests`, { id, ...wish });
}

/** The installation refused the request and did nothing. */
class RefusedByInstallation extends Error {}

export function isServiceRefusal(error: unknown): boolean {
  return error instanceof RefusedByInstallation;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The reason is unknown.';
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
