import { signWebhook } from '#shared/hubspot';
import { SECOND_MS } from '#shared/kernel';
import { type Check, fail, ok, warn } from './check.ts';
import { runCheck } from './run-check.ts';
import type { WholeSite } from './site.ts';

const NAME = "app's card and action";
/** Path of a record that cannot exist, so the request reads no data. */
const UNUSED_RECORD = '/records/contacts/0';
const ACTION = '/workflow-actions/enrich';

/**
 * Checks that the card and the workflow action are served under the public address and refuse forged requests. It
 * requests a card with our secret and with a wrong one, and calls the action unsigned.
 */
export async function appCheck(site: WholeSite): Promise<Check> {
  const { publicUrl, clientSecret } = site.webhook;
  if (publicUrl === undefined)
    return warn(
      NAME,
      'HubSpot cannot reach this installation',
      'set WEBHOOK_PUBLIC_URL, so that the card can reach the service',
    );
  const advice = `check that ${publicUrl}/ and all paths below it lead to this installation`;
  return runCheck(NAME, advice, async () => {
    const portal = await site.services.portal.known();
    if (!portal) return warn(NAME, 'not checked: the account is not known yet', 'run setup first');
    const url = `${publicUrl}${UNUSED_RECORD}?portalId=${portal.portalId}`;
    const shown = await requestStatus(site, { method: 'GET', url, clientSecret });
    if (shown !== 200)
      return fail(NAME, `${publicUrl}${UNUSED_RECORD} answered ${shown} instead of 200`, advice);
    const forged = await requestStatus(site, { method: 'GET', url, clientSecret: `not ${clientSecret}` });
    const action = await requestStatus(site, {
      method: 'POST',
      url: `${publicUrl}${ACTION}`,
      clientSecret: undefined,
    });
    if (forged !== 401 || action !== 401) {
      const seen = `${publicUrl} answered ${forged} and ${action} to wrong signatures instead of 401`;
      return fail(NAME, seen, 'a proxy before the function answers in its place');
    }
    return ok(NAME, `both answer under ${publicUrl}/, to HubSpot only; see that the app names this address`);
  });
}

interface AppRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** `undefined` sends the request unsigned. */
  readonly clientSecret: string | undefined;
}

/** @returns the HTTP status. */
async function requestStatus(
  { send, clock }: WholeSite,
  { method, url, clientSecret }: AppRequest,
): Promise<number> {
  const signed =
    clientSecret === undefined
      ? {}
      : signWebhook({ method, publicUrl: url, rawBody: '', clientSecret, timestampMs: clock.now() });
  const { status } = await send({ method, url, headers: signed, timeoutMs: 15 * SECOND_MS });
  return status;
}
