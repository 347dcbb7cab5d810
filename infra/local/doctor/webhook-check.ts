import { signWebhook } from '#shared/hubspot';
import { SECOND_MS } from '#shared/kernel';
import { neededSubscriptions } from '../../rule-subscriptions.ts';
import { type Check, checkOf } from './check.ts';
import { checkOrFailure, withoutPeriod } from './run-check.ts';
import type { Site, WholeSite } from './site.ts';

const NAME = 'webhook target';
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
  return checkOf(NAME, 'deliveries-refused', { count, reason, since, last });
}

async function targetCheck(site: WholeSite): Promise<Check> {
  const { publicUrl: url, clientSecret } = site.webhook;
  if (url === undefined) return checkOf(NAME, 'no-webhook-address', {});
  const see = async () => {
    const status = await deliver(site, { publicUrl: url, clientSecret });
    if (status === 401) return checkOf(NAME, 'webhook-secret-differs', { url });
    if (status !== 200) return checkOf(NAME, 'webhook-answered', { url, status });
    const forged = await deliver(site, { publicUrl: url, clientSecret: `not ${clientSecret}` });
    if (forged !== 401) return checkOf(NAME, 'webhook-takes-forged', { url, status: forged });
    return checkOf(NAME, 'webhook-answers', { url });
  };
  return checkOrFailure(see, ({ message }) =>
    checkOf(NAME, 'webhook-fails', { url, said: withoutPeriod(message) }),
  );
}

/**
 * Asks a person to check the subscriptions. They are set by the upload of a project or private app, and no access
 * token can read them. Only old public apps have an API for this, with a developer key.
 */
export function subscriptionsCheck({ policy }: Pick<Site, 'policy'>): Check {
  const name = 'webhook subscriptions';
  const { needed, lacking = [] } = neededSubscriptions(policy);
  if (lacking.length > 0)
    return checkOf(name, 'subscriptions-lacking', { needed: [...needed], lacking: [...lacking] });
  if (needed.length > 0) return checkOf(name, 'subscriptions-needed', { needed: [...needed] });
  return checkOf(name, 'subscriptions-not-checked', {});
}

/** @returns the HTTP status. */
async function deliver(
  { send, clock }: WholeSite,
  { publicUrl, clientSecret }: { publicUrl: string; clientSecret: string },
): Promise<number> {
  const request = { method: 'POST', publicUrl, rawBody: EMPTY_DELIVERY, clientSecret };
  const { status } = await send({
    method: 'POST',
    url: publicUrl,
    headers: { 'content-type': 'application/json', ...signWebhook({ ...request, timestampMs: clock.now() }) },
    body: EMPTY_DELIVERY,
    // HubSpot has the same timeout.
    timeoutMs: 5 * SECOND_MS,
  });
  return status;
}
