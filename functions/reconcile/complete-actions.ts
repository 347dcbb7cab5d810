import type { CompletedAction } from '#shared/crm/crm.ts';
import {
  completed,
  eventKeyOfExecution,
  executionKey,
  OPEN_EXECUTIONS,
} from '#shared/enrichment/requests/items.ts';
import type { ActionExecution } from '#shared/enrichment/requests/schemas.ts';
import { unreachable } from '#shared/kernel/errors.ts';
import { livingState } from '#shared/records/history.ts';
import { knowsAll } from '#shared/records/record-state.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import { type Standing, standingOfEvent } from '#shared/records/standing.ts';
import { change } from '#shared/versioned-items/change.ts';
import type { ReconcileServices } from './services.ts';

type Services = Pick<ReconcileServices, 'records' | 'crm' | 'clock' | 'executions'>;

/**
 * So many are looked at in a sweep from either end: the newest records are let in first, with one place in ten for the
 * oldest, and so these are the ones that come to an end.
 */
const FROM_EACH_END = 500;
const AT_ONCE = 50;

/**
 * Tells the workflows whose records have come to an end, or wait for more than their turn. First HubSpot is told, then
 * it is noted: cut off in between, HubSpot is told twice, which it passes over.
 * @returns how many were told.
 */
export async function completeActions(services: Services): Promise<number> {
  const open = await openExecutions(services);
  const ended: { readonly execution: ActionExecution; readonly action: CompletedAction }[] = [];
  for (let first = 0; first < open.length; first += AT_ONCE) {
    const states = open.slice(first, first + AT_ONCE).map(async (execution) => {
      const { callbackId, objectType, recordId: id } = execution;
      const state = await livingState(services, { objectType, id });
      const outputs = outputsOf(standingAt(state, execution));
      return outputs ? [{ execution, action: { callbackId, outputs } }] : [];
    });
    ended.push(...(await Promise.all(states)).flat());
  }
  if (ended.length === 0) return 0;
  await services.crm.completeActions(ended.map(({ action }) => action));
  await Promise.all(ended.map(({ execution }) => close(services, execution)));
  return ended.length;
}

async function openExecutions({ executions }: Services): Promise<readonly ActionExecution[]> {
  const query = { partition: OPEN_EXECUTIONS, limit: FROM_EACH_END };
  const oldest = await executions.list(query);
  const newest = oldest.length < FROM_EACH_END ? [] : await executions.list({ ...query, newestFirst: true });
  return [...new Map([...oldest, ...newest].map((each) => [each.callbackId, each])).values()];
}

/** Of a record that was merged away before anybody read of it, the other one knows nothing. */
function standingAt(state: RecordState, { callbackId, recordId }: ActionExecution): Standing {
  const eventKey = eventKeyOfExecution(callbackId);
  if (state.id !== recordId && !knowsAll(state, [eventKey])) return { kind: 'unknown' };
  return standingOfEvent(state, eventKey);
}

/** @returns nothing while the record is under way. `outcome`, `credits` and `reason` are the action's output fields. */
function outputsOf(standing: Standing): Readonly<Record<string, string>> | undefined {
  switch (standing.kind) {
    case 'under-way':
      return undefined;
    case 'unknown':
      return told('skipped', 0, 'Merged into another record.');
    case 'forgotten':
      return told('skipped', 0, 'Its person asked to be forgotten.');
    case 'waiting':
      return told('waiting', 0, standing.detail ?? standing.reason);
    case 'ended':
      return told(standing.outcome.kind, standing.outcome.credits, standing.outcome.reason);
    default:
      return unreachable(standing);
  }
}

function told(outcome: string, credits: number, reason: string): Readonly<Record<string, string>> {
  return { outcome, credits: String(credits), reason, hs_execution_state: 'SUCCESS' };
}

async function close({ executions, clock }: Services, { callbackId }: ActionExecution): Promise<void> {
  const item = { key: executionKey(callbackId), kind: 'execution', clock };
  await change(executions, item, (known) => ({
    value: known && known.doneAtMs === undefined ? completed(known, clock.now()) : undefined,
  }));
}
