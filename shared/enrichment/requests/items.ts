import { recordKey } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { IndexedItems, IndexPosition, VersionedItems } from '#shared/versioned-items';
import type { ActionExecution, PersonRequest, Reply, WrongMatch } from './schemas.ts';

export interface RequestItems {
  readonly requests: VersionedItems<PersonRequest>;
  readonly wrongMatches: IndexedItems<WrongMatch>;
}

export type ExecutionItems = IndexedItems<ActionExecution>;

export function requestKey(id: string): string {
  return `request#${id}`;
}

/** Whoever asked has long gone home. */
export function requestExpiry({ askedAtMs }: PersonRequest): number {
  return askedAtMs + DAY_MS;
}

export function answered(request: PersonRequest, reply: Reply): PersonRequest {
  return { ...request, reply };
}

export function wrongMatchKey({ objectType, id, questionKey, askedAtMs }: WrongMatch): string {
  return `wrong-match#${recordKey({ objectType, id })}#${questionKey}#${askedAtMs}`;
}

export const WRONG_MATCHES = 'wrong-matches';

export function wrongMatchPlace({ atMs }: WrongMatch): IndexPosition {
  return { partition: WRONG_MATCHES, order: atMs };
}

export function executionKey(callbackId: string): string {
  return `action#${callbackId}`;
}

export const OPEN_EXECUTIONS = 'actions';

export function executionPlace({ doneAtMs, askedAtMs }: ActionExecution): IndexPosition {
  return { partition: doneAtMs === undefined ? OPEN_EXECUTIONS : 'actions-done', order: askedAtMs };
}

/** HubSpot holds an execution for a week unless told otherwise, and may repeat its request while it does. */
export const EXECUTION_DAYS = 7;

/** One that nobody could complete goes with it: HubSpot has let its record go on by then. */
export function executionExpiry({ askedAtMs }: ActionExecution): number {
  return askedAtMs + (EXECUTION_DAYS + 1) * DAY_MS;
}

export function completed(execution: ActionExecution, doneAtMs: number): ActionExecution {
  return { ...execution, doneAtMs };
}

/** By it the record's state knows the wish, whose message may come twice. */
export function eventKeyOfRequest(id: string): string {
  return `request:${id}`;
}

export function eventKeyOfExecution(callbackId: string): string {
  return `workflow-action:${callbackId}`;
}
