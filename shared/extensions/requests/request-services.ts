import type { EnrichmentServices } from '#shared/enrichment';
import type { BackfillItems } from '#shared/extensions/backfill';
import type { GatewayServices, SweptQuestions } from '#shared/questions';
import { type Days, wishKey } from '#shared/records';
import type { IndexedItems } from '#shared/store';
import type { ActionExecution, PersonRequest, Reply, StoredRequest } from './schemas.ts';

/** Services that the worker needs for people's requests. */
export interface RequestServices extends EnrichmentServices {
  readonly backfills: BackfillItems['backfills'];
  readonly requests: RequestItems;
  readonly days: Pick<Days, 'addYields' | 'markSeen'>;
  readonly questions: SweptQuestions & Pick<GatewayServices, 'breakers' | 'digest' | 'policy' | 'items'>;
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
