import { signWebhook } from '#shared/hubspot';
import { SECOND_MS } from '#shared/kernel';
import { neededSubscriptions } from '../rule-subscriptions.ts';
import { withoutPeriod } from '../text-row.ts';
import { type Check, checkOf, type Site, seen, seenBy, type WholeSite } from './check.ts';

const TARGET = 'webhook target';
/** A delivery without events, which changes no data and gets the usual answer. */
const EMPTY_DELIVERY = '[]';

/**
 * Delivers an empty list, signed first with our secret and then with a wrong one. If the answers are right, the
 * receiver runs, has our secret, and uses the same address. HubSpot cannot report the address that it has.
 */
export async function webhookCheck(site: WholeSite): Promise<Check> {
  const { refused } = site.webhook;
  const check = await targetCheck(site);
  if (!refused || check.verdict === 'fail') return check;
  const { count, reason, sinceMs, lastMs } = refused;
  const [since = '', last = ''] = [sinceMs, lastMs].map((ms) => new Date(ms).toISOString());
  return checkOf(TARGET, 'deliveries-refused', { count, reason, since, last });
}

async function targetCheck(site: WholeSite): Promise<Check> {
  const { publicUrl: url, clientSecret } = site.webhook;
  if (url === undefined) return checkOf(TARGET, 'no-webhook-address', {});
  const see = async () => {
    const delivery = { method: 'POST', url, body: EMPTY_DELIVERY } as const;
    const status = await statusOf(site, { ...delivery, clientSecret });
    if (status === 401) return seen('webhook-secret-differs', { url });
    if (status !== 200) return seen('webhook-answered', { url, status });
    const forged = await statusOf(site, { ...delivery, clientSecret: `not ${clientSecret}` });
    if (forged !== 401) return seen('webhook-takes-forged', { url, status: forged });
    return seen('webhook-answers', { url });
  };
  return seenBy(TARGET, see, ({ message }) => seen('webhook-fails', { url, said: withoutPeriod(message) }));
}

/**
 * Asks a person to check the subscriptions. They are set by the upload of a project or private app, and no access
 * token can read them. Only old public apps have an API for this, with a developer key.
 */
export function subscriptionsCheck({ policy }: Pick<Site, 'policy'>): Check {
  const name = 'webhook subscriptions';
  const { needed, lacking = [] } = neededSubscriptions(policy);
  return needed.length > 0
    ? checkOf(name, 'subscriptions-needed', { needed, lacking })
    : checkOf(name, 'subscriptions-not-checked', {});
}

const APP = "app's card and action";
/** Path of a record that cannot exist, so the request reads no data. */
const UNUSED_RECORD = '/records/contacts/0';
const ACTION = '/workflow-actions/enrich';

/**
 * Checks that the card and the workflow action are served under the public address and refuse forged requests. It
 * requests a card with our secret and with a wrong one, and calls the action unsigned.
 */
export async function appCheck(site: WholeSite): Promise<Check> {
  const { publicUrl, clientSecret } = site.webhook;
  if (publicUrl === undefined) return checkOf(APP, 'app-unreachable', {});
  const see = async () => {
    const portal = await site.services.portal.known();
    if (!portal) return seen('account-unknown', {});
    const url = `${publicUrl}${UNUSED_RECORD}?portalId=${portal.portalId}`;
    const card = { method: 'GET', url } as const;
    const shown = await statusOf(site, { ...card, clientSecret });
    if (shown !== 200) return seen('app-answered', { url: publicUrl, path: UNUSED_RECORD, status: shown });
    const action = { method: 'POST', url: `${publicUrl}${ACTION}`, clientSecret: undefined } as const;
    const statuses = [
      await statusOf(site, { ...card, clientSecret: `not ${clientSecret}` }),
      await statusOf(site, action),
    ];
    if (statuses.some((status) => status !== 401))
      return seen('app-takes-forged', { url: publicUrl, statuses });
    return seen('app-answers', { url: publicUrl });
  };
  return seenBy(APP, see, ({ message }) =>
    seen('app-fails', { url: publicUrl, said: withoutPeriod(message) }),
  );
}

interface SignedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** `undefined` sends the request unsigned. */
  readonly clientSecret: string | undefined;
  readonly body?: string;
}

/** @returns the HTTP status. */
async function statusOf(
  { send, clock }: WholeSite,
  { method, url, clientSecret, body }: SignedRequest,
): Promise<number> {
  const signed =
    clientSecret === undefined
      ? {}
      : signWebhook({ method, publicUrl: url, rawBody: body ?? '', clientSecret, timestampMs: clock.now() });
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const { status } = await send({
    method,
    url,
    headers: { ...type, ...signed },
    ...(body !== undefined && { body }),
    // HubSpot waits five seconds for a delivery, and longer for a card.
    timeoutMs: (body === undefined ? 15 : 5) * SECOND_MS,
  });
  return status;
}
