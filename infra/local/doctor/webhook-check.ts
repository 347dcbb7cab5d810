import { signWebhook } from '#shared/hubspot';
import { counted, SECOND_MS } from '#shared/kernel';
import { neededSubscriptions } from '../../rule-subscriptions.ts';
import { REFUSED_ADVICE, type RefusedDeliveries } from '../spoken-events.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { runCheck } from './run-check.ts';
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
  return refused && check.verdict !== 'fail' ? fail(NAME, refusedWords(refused), REFUSED_ADVICE) : check;
}

function refusedWords({ count, reason, sinceMs, lastMs }: RefusedDeliveries): string {
  const times = `since ${new Date(sinceMs).toISOString()}, the last at ${new Date(lastMs).toISOString()}`;
  return `${counted(count, 'delivery')} refused ${times}, and none accepted since: ${reason}`;
}

async function targetCheck(site: WholeSite): Promise<Check> {
  const { publicUrl, clientSecret } = site.webhook;
  if (publicUrl === undefined) {
    const advice =
      'set WEBHOOK_PUBLIC_URL for webhooks; without it, the sweep finds new records while the system runs';
    return warn(NAME, 'no webhook reaches this installation', advice);
  }
  const advice = `see that the system runs and that ${publicUrl} leads to it`;
  return runCheck(NAME, advice, async () => {
    const signed = await deliver(site, { publicUrl, clientSecret });
    if (signed === 401) return refusedTarget(publicUrl);
    if (signed !== 200) return fail(NAME, `${publicUrl} answered ${signed} instead of 200`, advice);
    const forged = await deliver(site, { publicUrl, clientSecret: `not ${clientSecret}` });
    if (forged !== 401) {
      const seen = `${publicUrl} answered ${forged} to a wrong signature instead of 401`;
      return fail(
        NAME,
        seen,
        'a proxy before the receiver answers in its place, or signatures are not checked',
      );
    }
    return ok(
      NAME,
      `${publicUrl} takes signed deliveries and refuses others; see that HubSpot has this address`,
    );
  });
}

/**
 * Asks a person to check the subscriptions. They are set by the upload of a project or private app, and no access
 * token can read them. Only old public apps have an API for this, with a developer key.
 */
export function subscriptionsCheck({ policy }: Pick<Site, 'policy'>): Check {
  const { needed, lacking = [] } = neededSubscriptions(policy);
  const seen = [
    'not checked: no access token can read the subscriptions of an app',
    ...(needed.length > 0 ? [`the policy's rules need changes of ${needed.join(', ')}`] : []),
    ...(lacking.length > 0 ? [`${FILE} lacks ${lacking.join(', ')}`] : []),
  ];
  const advice = [
    ...(lacking.length > 0 ? [`run npm run deploy, or add them to the file, and upload the app`] : []),
    `in HubSpot, open Development, your project, the app, Webhooks: contact.privacyDeletion${needed.length > 0 ? " and the changes that the policy's rules need have" : ' has'} to be active, as in ${FILE}${needed.length > 0 ? '; upload the app where they are not' : ''}; the audit of deletions finds a missed deletion days later`,
  ];
  return warn('webhook subscriptions', seen.join('; '), advice.join('; '));
}

const FILE = 'infra/hubspot-app/src/app/webhooks/webhooks-hsmeta.json';

function refusedTarget(publicUrl: string): Check {
  const advice =
    "set HUBSPOT_CLIENT_SECRET to the client secret of the app's Auth tab, and the same public address, on both sides";
  return fail(NAME, `${publicUrl} refuses our signature: it has another secret or another address`, advice);
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
