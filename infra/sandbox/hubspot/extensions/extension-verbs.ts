import { ApiError, badRequest } from '../door/api-error.ts';
import { asObject, optionalText, requiredText, textsIn } from '../door/json.ts';
import type { Reply } from '../door/route.ts';
import type { Verb } from '../door/verb.ts';
import { objectTypeIdOf } from '../objects/object-types.ts';
import { VIEWER } from '../portal.ts';
import type { Send } from '../webhooks/webhook-sender.ts';
import { enrol, execute } from './executions.ts';
import { extensionRequest } from './signed-requests.ts';

/** HubSpot's own actions around an app's card and workflow action. */
export const EXTENSION_VERBS: Readonly<Record<string, (verb: Verb) => Promise<Reply>>> = {
  'POST /_sandbox/fetch': fetchForCard,
  'POST /_sandbox/enrol': enrolRecords,
  'POST /_sandbox/execute': executeAgain,
  'GET /_sandbox/executions': async ({ portal }) => ({
    status: 200,
    body: { executions: portal.state.executions },
  }),
};

/**
 * Serves `hubspot.fetch` of a card. It signs the request, and sends it only to the app's own addresses. `userId`
 * names another viewer.
 */
async function fetchForCard({ portal, actions, body }: Verb): Promise<Reply> {
  const wanted = asObject(body);
  const url = requiredText(wanted, 'url');
  const { settings } = portal.state;
  if (settings.webhookUrl === null || !url.startsWith(`${settings.webhookUrl}/`))
    throw new ApiError(badRequest(`The app may not fetch from ${url}: it is no permitted URL.`));
  const method = optionalText(wanted, 'method') ?? 'GET';
  const asked = { url, method, body: optionalText(wanted, 'body') ?? '' };
  const viewer = { ...VIEWER, userId: Number(optionalText(wanted, 'userId') ?? VIEWER.userId) };
  const response = await sentTwice(actions.send, () =>
    extensionRequest(settings, { asked, viewer, nowMs: portal.clock.now() }),
  );
  return { status: 200, body: { status: response.status, text: await response.text() } };
}

/** Sends a request, and repeats it once after a failed connection or a 5xx, as HubSpot does. */
async function sentTwice(send: Send, request: () => Request): Promise<Response> {
  try {
    const first = await send(request());
    if (first.status < 500) return first;
  } catch {
    // The second attempt decides.
  }
  return send(request());
}

async function enrolRecords({ portal, actions, body }: Verb): Promise<Reply> {
  const wanted = asObject(body);
  const typeId = objectTypeIdOf(requiredText(wanted, 'objectType'));
  if (!typeId) throw new ApiError(badRequest('The sandbox has contacts and companies.'));
  const recordIds = textsIn(wanted, 'ids');
  const executions = await enrol({ portal, send: actions.send, typeId, recordIds });
  return { status: 200, body: { executions } };
}

/** Repeats the request of an execution without changes. */
async function executeAgain({ portal, actions, body }: Verb): Promise<Reply> {
  const callbackId = requiredText(asObject(body), 'callbackId');
  const execution = portal.state.executions.find((each) => each.callbackId === callbackId);
  if (!execution) throw new ApiError(badRequest('No execution has this callback id.'));
  await execute({ portal, send: actions.send }, execution);
  return { status: 200, body: { execution } };
}
