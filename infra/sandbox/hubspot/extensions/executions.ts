import { ApiError, badRequest } from '../door/api-error.ts';
import { asObject, isJsonObject, listIn, requiredText } from '../door/json.ts';
import type { Call, Reply, Route } from '../door/route.ts';
import { type ObjectTypeId, singularName } from '../objects/object-types.ts';
import type { Portal } from '../portal.ts';
import type { Send } from '../webhooks/webhook-sender.ts';
import { actionRequest } from './signed-requests.ts';
import type { StoredExecution } from './stored-execution.ts';

interface Enrolment {
  readonly portal: Portal;
  readonly send: Send;
  readonly typeId: ObjectTypeId;
  readonly recordIds: readonly string[];
}

/** Sends each record to the app's action in a separate request, as a workflow does. */
export async function enrol({ portal, send, typeId, recordIds }: Enrolment): Promise<StoredExecution[]> {
  const executions = recordIds.map((recordId): StoredExecution => {
    const callbackId = `ap-${portal.state.settings.portalId}-${portal.state.executions.length + 1}`;
    const execution: StoredExecution = { callbackId, typeId, recordId, state: 'held', outputs: {} };
    portal.state.executions.push(execution);
    return execution;
  });
  await Promise.all(executions.map((execution) => execute({ portal, send }, execution)));
  return executions;
}

/** Sends one execution. Also used to repeat it, because HubSpot repeats unanswered requests. */
export async function execute(
  { portal, send }: Pick<Enrolment, 'portal' | 'send'>,
  execution: StoredExecution,
): Promise<void> {
  const { settings } = portal.state;
  const { callbackId, typeId, recordId: objectId } = execution;
  const body = JSON.stringify({
    callbackId,
    origin: { portalId: settings.portalId, actionDefinitionId: 1, actionDefinitionVersion: 1 },
    context: { source: 'WORKFLOWS', workflowId: 1 },
    object: { objectId: Number(objectId), objectType: singularName(typeId).toUpperCase() },
    inputFields: {},
  });
  const url = `${settings.webhookUrl}/workflow-actions/enrich`;
  const response = await send(actionRequest(settings, { url, method: 'POST', body }));
  if (!response.ok) execution.state = 'failed';
}

/** HubSpot's route "Complete a batch of callbacks". */
export const CALLBACK_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/automation/actions/callbacks/{version}/complete',
    needs: 'automation',
    run: completeAll,
  },
];

function completeAll({ portal, body }: Call): Reply {
  const inputs = listIn(asObject(body), 'inputs').map((input) => asObject(input, 'an input'));
  if (inputs.length > MOST_CALLBACKS)
    throw new ApiError(badRequest(`At most ${MOST_CALLBACKS} callbacks at once.`));
  for (const input of inputs) {
    const callbackId = requiredText(input, 'callbackId');
    const execution = portal.state.executions.find((each) => each.callbackId === callbackId);
    // An execution that is already finished is ignored.
    if (execution?.state !== 'held') continue;
    const given = isJsonObject(input['outputFields']) ? input['outputFields'] : {};
    execution.outputs = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, String(value)]),
    );
    execution.state = 'completed';
  }
  return { status: 204 };
}

const MOST_CALLBACKS = 100;
