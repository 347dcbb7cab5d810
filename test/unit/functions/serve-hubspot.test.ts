import { describe, expect, it } from 'vitest';
import { onlyAllowedFields } from '#inside/kernel/logger.ts';
import { signWebhook } from '#shared/hubspot';
import { type LogFields, MINUTE_MS } from '#shared/kernel';
import { DEFAULT_SETTINGS } from '../../../infra/sandbox/hubspot/settings.ts';
import { actionRequest, extensionRequest } from '../../../infra/sandbox/hubspot/verbs.ts';
import { CLIENT_SECRET, type RecordName, WEBHOOK_URL } from '../../harness/hubspot-portal.ts';
import { contact } from '../../harness/people.ts';
import { createServer } from '../../harness/server.ts';
import { settleDown } from '../../harness/steps.ts';
import { createWorld, type World } from '../../harness/world.ts';

const SETTINGS = { ...DEFAULT_SETTINGS, clientSecret: CLIENT_SECRET };
const VIEWER = { userId: 1, userEmail: 'somebody@portal.example' };

interface Scene {
  readonly world: World;
  readonly record: RecordName;
  readonly base: string;
  readonly serve: (request: Request) => Promise<Response>;
  /** Events with the fields that leave the process. */
  readonly logs: (readonly [event: string, fields: object])[];
}

async function scene(): Promise<Scene> {
  const world = await createWorld();
  const record = await contact(world);
  await settleDown(world);
  return sceneOf(world, record);
}

function sceneOf(world: World, record: RecordName): Scene {
  const { services, policy, queues, clock } = world;
  const logs: Scene['logs'] = [];
  const log = (event: string, fields: LogFields = {}) => void logs.push([event, onlyAllowedFields(fields)]);
  const serve = createServer({
    services,
    policy,
    queues,
    clock,
    logger: { info: log, warn: log, error: log },
  });
  return { world, record, base: `${WEBHOOK_URL}/records/${record.objectType}/${record.id}`, serve, logs };
}

const ENRICH = JSON.stringify({ id: 'a-request-1', kind: 'enrich', maxCredits: 5 });

function asked({ base }: Scene, kind: Kind) {
  if (kind === 'home') return { url: `${WEBHOOK_URL}/home`, method: 'GET', body: '' };
  return kind === 'show'
    ? { url: base, method: 'GET', body: '' }
    : { url: `${base}/requests`, method: 'POST', body: ENRICH };
}

function execution({ world, record }: Scene, more: object = {}) {
  const { portalId } = world.portal.sandbox.state() as { portalId?: number };
  const origin = { portalId: portalId ?? DEFAULT_SETTINGS.portalId };
  const object = { objectId: Number(record.id), objectType: 'CONTACT' };
  const body = JSON.stringify({ callbackId: 'ap-1-1', origin, object, inputFields: {}, ...more });
  return { url: `${WEBHOOK_URL}/workflow-actions/enrich`, method: 'POST', body };
}

type Kind = 'show' | 'request' | 'home';
const KINDS: readonly Kind[] = ['show', 'request', 'home'];

/** Signed by version 3 without a parameter that HubSpot adds. */
function signedAsIs(
  { world }: Scene,
  { url, method, body = '' }: { readonly url: string; readonly method: string; readonly body?: string },
) {
  const timestampMs = world.clock.now();
  const signed = { method, publicUrl: url, rawBody: body, clientSecret: CLIENT_SECRET, timestampMs };
  return new Request(url, { method, headers: signWebhook(signed), ...(body !== '' && { body }) });
}

/** Nothing is told or queued, and the log has nothing of the request. */
async function expectRefused(
  { world, serve, logs }: Scene,
  request: Request,
  status: number,
  reason: string,
) {
  const before = [world.queues.urgent.size(), world.queues.bulk.size()];
  const response = await serve(request);
  const fields = { route: `${request.method} /hubspot/{proxy+}`, status, reason, requestId: 'Qx1=' };
  expect(logs.at(-1)).toEqual(['hubspot-refused', fields]);
  expect([response.status, await response.json()]).toEqual([status, { refused: reason }]);
  expect([world.queues.urgent.size(), world.queues.bulk.size()]).toEqual(before);
}

describe("requests of HubSpot's extensions", () => {
  it.each(KINDS)('are answered when HubSpot signed them: %s', async (kind) => {
    const its = await scene();
    const nowMs = its.world.clock.now();
    const request = extensionRequest(SETTINGS, { asked: asked(its, kind), viewer: VIEWER, nowMs });
    expect((await its.serve(request)).status).toBe(kind === 'request' ? 202 : 200);
  });

  it.each(KINDS)('are refused when HubSpot did not sign them, or not for us and now: %s', async (kind) => {
    const its = await scene();
    const nowMs = its.world.clock.now();
    const { url, method, body } = asked(its, kind);
    const sent = body === '' ? {} : { body };
    const signed = { asked: asked(its, kind), viewer: VIEWER, nowMs };
    const signedAt = (atMs: number) => extensionRequest(SETTINGS, { ...signed, nowMs: atMs });
    const good = signedAt(nowMs);
    const changed = new Request(good.url.replace('userId=1', 'userId=2'), {
      method,
      headers: good.headers,
      ...sent,
    });
    const portal = `${url}?portalId=${SETTINGS.portalId}`;
    const refused: readonly [Request, number, string][] = [
      [extensionRequest({ ...SETTINGS, clientSecret: 'a guess' }, signed), 401, 'wrong-signature'],
      [new Request(url, { method, ...sent }), 401, 'missing-header'],
      [signedAt(nowMs - 6 * MINUTE_MS), 401, 'too-old'],
      [signedAt(nowMs + 6 * MINUTE_MS), 401, 'from-the-future'],
      [changed, 401, 'wrong-signature'],
      [extensionRequest({ ...SETTINGS, portalId: 999 }, signed), 403, 'other-portal'],
      // The signature of workflows has no time.
      [actionRequest(SETTINGS, { url: portal, method, body }), 401, 'missing-header'],
    ];
    for (const [request, status, reason] of refused) await expectRefused(its, request, status, reason);
    await its.world.clock.sleep(6 * MINUTE_MS);
    await expectRefused(its, good, 401, 'too-old');
  });

  it('of more than their size are refused before anything else is done with them', async () => {
    const its = await scene();
    const { url, method } = asked(its, 'request');
    const large = new Request(url, { method, body: 'x'.repeat(1_400_001) });
    await expectRefused(its, large, 413, 'body-too-large');
  });

  it('are refused before it is known which account is ours', async () => {
    const world = await createWorld({ pinned: false });
    const its = sceneOf(world, { objectType: 'contacts', id: '1' });
    const nowMs = its.world.clock.now();
    const request = extensionRequest(SETTINGS, { asked: asked(its, 'show'), viewer: VIEWER, nowMs });
    await expectRefused(its, request, 403, 'other-portal');
  });

  it.each([
    ['two requests', 'request=a-request-1&request=a-request-2', 'repeated-parameter'],
    ['two accounts', 'portalId=1', 'repeated-parameter'],
    ['a request of 3,000 characters', `request=${'a'.repeat(3_000)}`, 'unreadable-request'],
    ['a request of 5 characters', 'request=short', 'unreadable-request'],
  ])('are refused with %s', async (_, query, reason) => {
    const its = await scene();
    const { url, ...rest } = asked(its, 'show');
    const portal = `${url}?portalId=${SETTINGS.portalId}&${query}`;
    await expectRefused(its, signedAsIs(its, { ...rest, url: portal }), 400, reason);
  });

  it.each([
    ['42', 'user:42'],
    ['9'.repeat(21), 'user'],
    ['9'.repeat(3_000), 'user'],
    ['jane@acme.example', 'user'],
    ['', 'user'],
    [undefined, 'user'],
  ])('with the user id %s are taken, and name the asker %s', async (userId, askedBy) => {
    const its = await scene();
    const query = new URLSearchParams({ portalId: String(SETTINGS.portalId), userEmail: VIEWER.userEmail });
    if (userId !== undefined) query.set('userId', userId);
    const post = asked(its, 'request');
    const request = signedAsIs(its, { ...post, url: `${post.url}?${query}` });
    expect((await its.serve(request)).status).toBe(202);
    await settleDown(its.world);
    expect((await its.world.state(its.record))?.outcome?.askedBy).toBe(askedBy);
  });

  it('are refused with an account that is no number', async () => {
    const its = await scene();
    const { url, ...rest } = asked(its, 'show');
    const long = { ...rest, url: `${url}?portalId=${'1'.repeat(3_000)}` };
    await expectRefused(its, signedAsIs(its, long), 400, 'unreadable-request');
  });

  it('are refused with a signature that comes twice, as API Gateway joins it', async () => {
    const its = await scene();
    const nowMs = its.world.clock.now();
    const good = extensionRequest(SETTINGS, { asked: asked(its, 'show'), viewer: VIEWER, nowMs });
    good.headers.append('x-hubspot-signature-v3', good.headers.get('x-hubspot-signature-v3') ?? '');
    await expectRefused(its, good, 401, 'wrong-signature');
  });

  it.each([
    'no JSON',
    '[]',
    '{"id":"short","kind":"quote"}',
    '{"id":"a-request-1","kind":"enrich"}',
    '{"id":"a-request-1","kind":"enrich","maxCredits":-1}',
    '{"id":"a-request-1","kind":"buy","maxCredits":1}',
    '{"id":"a-request-1","kind":"wrong-match"}',
  ])('change nothing where they cannot be read: %s', async (body) => {
    const its = await scene();
    const nowMs = its.world.clock.now();
    const post = { ...asked(its, 'request'), body };
    const request = extensionRequest(SETTINGS, { asked: post, viewer: VIEWER, nowMs });
    await expectRefused(its, request, 400, 'unreadable-request');
  });

  it.each([
    ['GET', '/records/deals/1'],
    ['GET', '/records/contacts/1%20'],
    ['POST', '/records/contacts/1'],
    ['POST', '/home'],
    ['GET', '/home/requests'],
    ['GET', '/records/contacts/1/requests'],
    ['GET', '/workflow-actions/other'],
  ])('lead nowhere else: %s %s', async (method, path) => {
    const its = await scene();
    const nowMs = its.world.clock.now();
    const get = { url: `${WEBHOOK_URL}${path}`, method, body: '' };
    const request = extensionRequest(SETTINGS, { asked: get, viewer: VIEWER, nowMs });
    await expectRefused(its, request, 404, 'no-such-route');
  });

  it('are to be sent again when the queue did not take them', async () => {
    const its = await scene();
    its.world.queues.urgent.refuse(1);
    const post = { asked: asked(its, 'request'), viewer: VIEWER, nowMs: its.world.clock.now() };
    await expectRefused(its, extensionRequest(SETTINGS, post), 503, 'try-again');
  });
});

describe("requests of the workflow's action", () => {
  it('are held when HubSpot signed them, and spend nothing when they come again', async () => {
    const its = await scene();
    const spent = its.world.charged();
    for (let times = 0; times < 3; times += 1) {
      const response = await its.serve(actionRequest(SETTINGS, execution(its)));
      expect([response.status, await response.json()]).toEqual([
        200,
        { outputFields: { hs_execution_state: 'BLOCK', hs_expiration_duration: 'P7D' } },
      ]);
      await its.world.clock.sleep(10 * MINUTE_MS);
    }
    await settleDown(its.world);
    await its.world.processes.reconcile();
    await settleDown(its.world);
    expect((await its.world.state(its.record))?.runsOpened).toBe(2);
    expect(its.world.charged()).toBe(spent);
  });

  it('are refused when somebody else signed them, or by another version', async () => {
    const its = await scene();
    const forged = actionRequest({ ...SETTINGS, clientSecret: 'a guess' }, execution(its));
    await expectRefused(its, forged, 401, 'wrong-signature');
    const nowMs = its.world.clock.now();
    const other = extensionRequest(SETTINGS, { asked: execution(its), viewer: VIEWER, nowMs });
    await expectRefused(its, other, 401, 'missing-header');
    const changed = actionRequest(SETTINGS, execution(its));
    const { headers, url } = changed;
    const { body } = execution(its, { callbackId: 'ap-1-2' });
    await expectRefused(its, new Request(url, { method: 'POST', headers, body }), 401, 'wrong-signature');
  });

  it('are refused when they speak of another account, or of no contact or company', async () => {
    const its = await scene();
    const foreign = actionRequest(SETTINGS, execution(its, { origin: { portalId: 999 } }));
    await expectRefused(its, foreign, 403, 'other-portal');
    for (const more of [
      { callbackId: 'x'.repeat(513) },
      { origin: { portalId: '1'.repeat(3_000) } },
      { object: { objectId: '1'.repeat(3_000), objectType: 'CONTACT' } },
      { object: { objectId: 1, objectType: 'constructor' } },
    ])
      await expectRefused(its, actionRequest(SETTINGS, execution(its, more)), 400, 'unreadable-request');
    const deal = execution(its, { object: { objectId: 1, objectType: 'DEAL' } });
    await expectRefused(its, actionRequest(SETTINGS, deal), 400, 'unreadable-request');
  });
});
