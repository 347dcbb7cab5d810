import { openItems, type Storage } from '#shared/store';
import type { BackfillItems } from './backfill/members.ts';
import { backfillKind, memberKind } from './backfill/stored-kinds.ts';
import { archivedPolicyKind } from './policy-change/stored-kinds.ts';
import type { ExecutionItems, RequestItems } from './requests/items.ts';
import { executionKind, requestKind, wrongMatchKind } from './requests/stored-kinds.ts';

/** Opens the quotes and backfills, and their members. */
export function createBackfills(settings: Storage): BackfillItems {
  return { backfills: openItems(settings, backfillKind), members: openItems(settings, memberKind) };
}

/** Opens the requests that people made in HubSpot, and the wrong matches that they reported. */
export function createRequests(settings: Storage): RequestItems {
  return {
    requests: openItems(settings, requestKind),
    wrongMatches: openItems(settings, wrongMatchKind),
  };
}

/** Opens the executions of the workflow action for which HubSpot waits. */
export function createExecutions(settings: Storage): ExecutionItems {
  return openItems(settings, executionKind);
}

/** Opens the archive of policies that were in force. */
export function createPolicies(settings: Storage) {
  return openItems(settings, archivedPolicyKind);
}
