import { signWebhook } from '#shared/hubspot';
import { SECOND_MS } from '#shared/kernel';
import { type Check, checkOf } from './check.ts';
import { checkOrFailure, withoutPeriod } from './run-check.ts';
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
  if (publicUrl === undefined) return checkOf(NAME, 'app-unreachable', {});
  const see = async () => {
    const portal = await site.services.portal.known();
    if (!portal) return checkOf(NAME, 'account-unknown', {});
    const url = `${publicUrl}${UNUSED_RECORD}?portalId=${portal.portalId}`;
    const shown = await requestStatus(site, { method: 'GET', url, clientSecret });
    if (shown !== 200)
      return checkOf(NAME, 'app-answered', { url: publicUrl, path: UNUSED_RECORD, status: shown });
    const forged = await requestStatus(site, { method: 'GET', url, clientSecret: `not ${clientSecret}` });
    const action = await requestStatus(site, {
      method: 'POST',
      url: `${publicUrl}${ACTION}`,
      clientSecret: undefined,
    });
    const statuses = [forged, action];
    if (statuses.some((status) => status !== 401))
      return checkOf(NAME, 'app-takes-forged', { url: publicUrl, statuses });
    return checkOf(NAME, 'app-answers', { url: publicUrl });
  };
  return checkOrFailure(see, ({ message }) =>
    checkOf(NAME, 'app-fails', { url: publicUrl, said: withoutPeriod(message) }),
  );
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
