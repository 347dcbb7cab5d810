import type { EnrichmentServices } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import type { GatewayServices, SweptQuestions } from '#shared/questions';
import { type Days, wishKey } from '#shared/records';
import type { IndexedItems } from '#shared/store';
import type { ActionExecution, PersonRequest, Reply, StoredRequest } from './schemas.ts';

/** Services that the worker needs for people's requests. */
export interface RequestServices extends EnrichmentServices {
  readonly requests: RequestItems;
  /** What the extensions carry out. */
  readonly wishes: readonly WishHandler[];
  readonly days: Pick<Days, 'addYields' | 'markSeen'>;
  readonly questions: SweptQuestions & Pick<GatewayServices, 'breakers' | 'digest' | 'policy' | 'items'>;
}

/** A list of the policy's `people`. */
export type PeopleList = keyof Policy['people'] & ('decide' | 'approve' | 'resume');

export type WishRequest = Extract<PersonRequest, { readonly kind: 'record-wish' | 'home-wish' }>;

/** What an extension carries out at a person's request. */
export interface WishHandler {
  readonly isFor: (request: WishRequest) => boolean;
  /** Whether the result changes the content of the home page. */
  readonly changesHome: boolean;
  /** Returns the list of the policy whose users may ask for it; `undefined` if every user may. */
  readonly listOf: (request: WishRequest) => PeopleList | undefined;
  readonly carryOut: (services: RequestServices, request: WishRequest) => Promise<Reply>;
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
