import { readAsker } from '#shared/crm';
import { parseJson } from '#shared/kernel';
import type { GatewayResult } from '#shared/lambda';
import { type ActionExecution, EXECUTION_DAYS, eventKeyOfExecution, requestKind } from '#shared/requests';
import { change } from '#shared/store';
import { isOwnPortal } from './admit.ts';
import { json, refusal } from './answers.ts';
import { actionRequestSchema } from './schemas.ts';
import type { ServeServices } from './services.ts';

/**
 * Accepts an execution of the workflow's action. HubSpot blocks the execution until the sweep reports how the record's
 * run ended. The signature of this request contains no time, so the request can be replayed. A replay spends nothing,
 * because its callback id is already stored.
 */
export async function takeExecution(services: ServeServices, text: string): Promise<GatewayResult> {
  const parsed = actionRequestSchema.safeParse(parseJson(text));
  if (!parsed.success) return refusal(400, 'unreadable-request');
  const { callbackId, context, origin, object } = parsed.data;
  if (!(await isOwnPortal(services, origin.portalId))) return refusal(403, 'other-portal');
  const { objectType, objectId: id } = object;
  const execution = { callbackId, objectType, recordId: id, askedAtMs: services.clock.now() };
  if ((await storeExecution(services, execution)) === 'open')
    await services.queues.bulk.send([
      {
        objectType,
        id,
        purpose: 'workflow',
        asked: { byWorkflow: true },
        askedBy: readAsker(`workflow:${context?.workflowId}`),
        eventKeys: [eventKeyOfExecution(callbackId)],
      },
    ]);
  return json(200, { outputFields: BLOCKED });
}

/**
 * Stores the execution before its message is sent, so that the sweep finds it.
 * @returns `done` if the result was already reported to HubSpot.
 */
async function storeExecution(
  { requests, clock }: ServeServices,
  execution: ActionExecution,
): Promise<'open' | 'done'> {
  const item = { key: requestKind.key({ execution: execution.callbackId }), kind: 'execution', clock };
  const { stored } = await change(requests, item, (known) => ({
    stored: known?.execution ?? execution,
    value: known ? undefined : { execution },
  }));
  return stored.doneAtMs === undefined ? 'open' : 'done';
}

/**
 * Output that makes HubSpot block the execution until we complete it, at most for this ISO 8601 duration. Source:
 * "Asynchronous custom action execution".
 */
const BLOCKED = { hs_execution_state: 'BLOCK', hs_expiration_duration: `P${EXECUTION_DAYS}D` } as const;
