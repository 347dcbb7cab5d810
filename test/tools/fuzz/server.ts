import { seededRandom } from '#shared/kernel';
import { DEFAULT_SETTINGS } from '../../../infra/sandbox/hubspot/settings.ts';
import { actionRequest, extensionRequest } from '../../../infra/sandbox/hubspot/verbs.ts';
import { CLIENT_SECRET, WEBHOOK_URL } from '../../harness/hubspot-portal.ts';
import { createServer } from '../../harness/server.ts';
import { createWorld } from '../../harness/world.ts';
import { chance, damagedBytes, damagedFields, oneOf, SECRET_WORD } from './damage.ts';
import type { FuzzReport } from './receiver.ts';

const SETTINGS = { ...DEFAULT_SETTINGS, clientSecret: CLIENT_SECRET };
const VIEWER = { userId: 1, userEmail: `${SECRET_WORD}@portal.example` };

const CARD = `${WEBHOOK_URL}/records/contacts/1`;
const ACTION = `${WEBHOOK_URL}/workflow-actions/enrich`;
const HOME = `${WEBHOOK_URL}/home`;
type Body = Readonly<Record<string, unknown>>;
const FINDING = { finding: 'contradiction', foundAtMs: 1 };
const CARD_BODIES: readonly Body[] = [
  { kind: 'quote' },
  { kind: 'enrich', maxCredits: 3 },
  { kind: 'undo', property: 'jobtitle' },
  { kind: 'wrong-match', run: { recordId: '1', number: 1 } },
  { kind: 'preview', ...FINDING },
  { kind: 'accept', ...FINDING, properties: ['jobtitle'], confirmsIdentity: true },
  { kind: 'reject', ...FINDING },
];
const HOME_BODIES: readonly Body[] = [
  { kind: 'stop-spending' },
  { kind: 'resume-spending' },
  { kind: 'resolve-doubt', questionKey: 'a', reservationId: 'a:1', charged: true },
  { kind: 'backfill', backfillId: 'a', move: 'start', maxCredits: 3 },
  { kind: 'backfill', backfillId: 'a', move: 'pause' },
  { kind: 'admit', purpose: 'import', maxCredits: 3 },
];
const EXECUTION = {
  callbackId: 'ap-1-1',
  origin: { portalId: SETTINGS.portalId },
  object: { objectId: 1, objectType: 'CONTACT' },
  inputFields: {},
};

/**
 * Damaged requests of cards, the home page and workflows against the function that serves them: it never throws,
 * answers no 5xx, and
 * queues nothing that HubSpot did not sign or that cannot be read, and logs nobody.
 */
export async function fuzzServer({ seed, runs }: { seed: number; runs: number }): Promise<FuzzReport> {
  const random = seededRandom(seed);
  const world = await createWorld();
  const { services, policy, queues, clock } = world;
  const logged: string[] = [];
  const log = (event: string, fields?: unknown) => void logged.push(JSON.stringify([event, fields]));
  const serve = createServer({
    services,
    policy,
    queues,
    clock,
    logger: { info: log, warn: log, error: log },
  });
  const counts: Record<string, number> = {};
  const problems: string[] = [];
  const sent = () => queues.urgent.size() + queues.bulk.size();
  for (let run = 0; run < runs && problems.length < 10; run += 1) {
    const isDamaged = chance(random, 0.9);
    const request = drawRequest(random, { isDamaged, nowMs: clock.now() });
    const before = sent();
    try {
      const { status } = await serve(request);
      counts[status] = (counts[status] ?? 0) + 1;
      if (status >= 500) problems.push(`run ${run}: answered ${status}`);
      if (status >= 400 && sent() > before) problems.push(`run ${run}: answered ${status} and queued`);
      if (status >= 400 && !isDamaged) problems.push(`run ${run}: refused a good one with ${status}`);
    } catch (error) {
      problems.push(`run ${run}: threw ${error}`);
    }
  }
  if (logged.some((line) => line.includes(SECRET_WORD))) problems.push('logged somebody');
  return { counts, problems };
}

type Random = ReturnType<typeof seededRandom>;

/** Signed as it stands, or changed after it was signed. */
function drawRequest(random: Random, { isDamaged, nowMs }: { isDamaged: boolean; nowMs: number }): Request {
  const isAction = chance(random, 0.3);
  const isHome = chance(random, 0.4);
  // Each request has an id of its own: an id that comes back with other content is refused.
  const id = `a-request-${Math.floor(random() * 1e12)}`;
  const kind = isAction ? EXECUTION : { id, ...oneOf(random, isHome ? HOME_BODIES : CARD_BODIES) };
  const isShown = !isAction && chance(random, 0.3);
  const fields = isDamaged && chance(random, 0.6) ? damagedFields(random, kind) : kind;
  const body = isShown ? '' : JSON.stringify(fields);
  const known = isHome ? HOME : CARD;
  const page = isDamaged && chance(random, 0.1) ? known.replace(/contacts|home/, 'deals') : known;
  const portalId = isDamaged && chance(random, 0.1) ? 999 : SETTINGS.portalId;
  const url = isAction ? ACTION : isShown ? page : `${page}/requests`;
  const asked = { url, method: isShown ? 'GET' : 'POST', body };
  const request = isAction
    ? actionRequest(SETTINGS, asked)
    : extensionRequest({ ...SETTINGS, portalId }, { asked, viewer: VIEWER, nowMs });
  if (!isDamaged) return request;
  return oneOf(random, [asSigned, otherBody, otherUrl, otherHeader])(request, { body, random });
}

interface Changing {
  readonly body: string;
  readonly random: Random;
}

function asSigned(request: Request): Request {
  return request;
}

function otherBody({ url, method, headers }: Request, { body, random }: Changing): Request {
  if (method === 'GET') return new Request(url, { headers });
  return new Request(url, { method, headers, body: new Uint8Array(damagedBytes(random, Buffer.from(body))) });
}

function otherUrl({ url, method, headers }: Request, { body, random }: Changing): Request {
  const changed = oneOf(random, [
    url.replace('/contacts/', '/deals/'),
    url.replace(/\d+(?=\/requests|\?|$)/, '2'),
    url.replace(/portalId=\d+/, 'portalId=999'),
    url.replace('/hubspot/', '/hubspot/../'),
    `${url}%00`,
  ]);
  return new Request(changed, method === 'GET' ? { headers } : { method, headers, body });
}

function otherHeader({ url, method, headers }: Request, { body, random }: Changing): Request {
  const changed = new Headers(headers);
  const names = [...changed.keys()].filter((name) => name.startsWith('x-hubspot'));
  const name = oneOf(random, names);
  if (chance(random, 0.5)) changed.delete(name);
  else changed.set(name, oneOf(random, ['', '0', '-1', 'v3', 'NaN', 'a'.repeat(9_000)]));
  return new Request(url, method === 'GET' ? { headers: changed } : { method, headers: changed, body });
}
