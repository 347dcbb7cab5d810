import type { EnrichmentServices } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import type { GatewayServices, SweptQuestions } from '#shared/questions';
import { type Days, wishKey } from '#shared/records';
import type { IndexedItems } from '#shared/store';
import type { ActionExecution, PersonRequest, Reply, StoredRequest } from './schemas.ts';

/** Services that the worker needs for people's requests. */
export interface RequestServices extends EnrichmentServices {
  readonly requests: RequestItems;
  /** The handlers of the extensions. */
  readonly wishes: readonly WishHandler[];
  readonly days: Pick<Days, 'addYields' | 'markSeen'>;
  readonly questions: SweptQuestions & Pick<GatewayServices, 'breakers' | 'digest' | 'policy' | 'items'>;
}

/** A list of the policy's `people`. */
export type PeopleList = keyof Policy['people'] & ('decide' | 'approve' | 'resume');

export type WishRequest = Extract<PersonRequest, { readonly kind: 'record-wish' | 'home-wish' }>;

/** Takes a request for an extension. Returns `undefined` if the request is for another extension. */
export type WishHandler = (request: WishRequest) => TakenWish | undefined;

/** A request that an extension carries out. */
export interface TakenWish {
  /** Whether the result changes the content of the home page. */
  readonly changesHome: boolean;
  /** The list of the policy whose users may ask for it; `undefined` if every user may. */
  readonly list: PeopleList | undefined;
  readonly carryOut: (services: RequestServices) => Promise<Reply>;
}

export type RequestItems = IndexedItems<StoredRequest>;

export function answered(request: PersonRequest, reply: Reply): PersonRequest {
  return { ...request, reply };
}

export function completed(execution: ActionExecution, doneAtMs: number): ActionExecution {
  return { ...execution, doneAtMs };
}

/** Returns the key by which the record's state recognises the wish if its message comes twice. */
export function eventKeyOfRequest(id: string): string {
  return wishKey('request', id);
}

export function eventKeyOfExecution(callbackId: string): string {
  return wishKey('workflow', callbackId);
}
