import { readAsker } from '#shared/crm';
import { type ActionExecution, EXECUTION_DAYS, eventKeyOfExecution, executionKind } from '#shared/enrichment';
import { parseJson } from '#shared/kernel';
import { change } from '#shared/versioned-items';
import { isOwnPortal } from './admit.ts';
import { json, refusal } from './answers.ts';
import { actionRequestSchema } from './schemas.ts';
import type { ServeResult, ServeServices } from './services.ts';

/**
 * Takes an execution of the workflow's action and lets HubSpot hold it: the sweep tells how the record's run ended. Its
 * signature has no time, so that it may be replayed at any time; a known callback id spends nothing.
 */
export async function takeExecution(services: ServeServices, text: string): Promise<ServeResult> {
  const parsed = actionRequestSchema.safeParse(parseJson(text));
  if (!parsed.success) return refusal(400, 'unreadable-request');
  const { callbackId, context, origin, object } = parsed.data;
  if (!(await isOwnPortal(services, origin.portalId))) return refusal(403, 'other-portal');
  const { objectType, objectId: id } = object;
  const execution = { callbackId, objectType, recordId: id, askedAtMs: services.clock.now() };
  if ((await keep(services, execution)) === 'open')
    await services.queues.bulk.send([
      {
        ...{ objectType, id, purpose: 'workflow', asked: { byWorkflow: true } },
        askedBy: readAsker(`workflow:${context?.workflowId}`),
        eventKeys: [eventKeyOfExecution(callbackId)],
      },
    ]);
  return json(200, { outputFields: HELD });
}

/** Kept before its message is sent, so that the sweep finds it. @returns `done` where HubSpot has been told already. */
async function keep(
  { executions, clock }: ServeServices,
  execution: ActionExecution,
): Promise<'open' | 'done'> {
  const item = { key: executionKind.key(execution.callbackId), kind: 'execution', clock };
  const { kept } = await change(executions, item, (known) => ({
    kept: known ?? execution,
    value: known ? undefined : execution,
  }));
  return kept.doneAtMs === undefined ? 'open' : 'done';
}

/** "Asynchronous custom action execution": held until it is completed, at most as long as this, in ISO 8601. */
const HELD = { hs_execution_state: 'BLOCK', hs_expiration_duration: `P${EXECUTION_DAYS}D` } as const;
