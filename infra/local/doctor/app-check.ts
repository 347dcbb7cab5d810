import { signWebhook } from '#shared/hubspot';
import { SECOND_MS } from '#shared/kernel';
import { systemClock as clock } from '#shared/kernel/adapters';
import { type Check, fail, ok, warn } from './check.ts';
import { look } from './look.ts';
import type { WholeSite } from './site.ts';

const NAME = "app's card and action";
/** No record of HubSpot's has it: nothing is known of it, and nothing is read. */
const NOBODY = '/records/contacts/0';
const ACTION = '/workflow-actions/enrich';

/**
 * Looks at a record's card as HubSpot would, and once more with another secret; and asks the workflow's action without
 * a signature. So both are served under this address, and refuse unsigned requests.
 */
export async function appCheck(site: WholeSite): Promise<Check> {
  const { publicUrl, clientSecret } = site.webhook;
  if (publicUrl === undefined)
    return warn(
      NAME,
      'nothing listens for HubSpot',
      'set WEBHOOK_PUBLIC_URL, and the card can reach the service',
    );
  const advice = `check that ${publicUrl}/ and all paths below it lead to this installation`;
  return look(NAME, advice, async () => {
    const portal = await site.services.portal.known();
    if (!portal) return warn(NAME, 'not checked: the account is not known yet', 'run setup first');
    const url = `${publicUrl}${NOBODY}?portalId=${portal.portalId}`;
    const shown = await ask(site, { method: 'GET', url, clientSecret });
    if (shown !== 200) return fail(NAME, `${publicUrl}${NOBODY} answered ${shown} instead of 200`, advice);
    const forged = await ask(site, { method: 'GET', url, clientSecret: `not ${clientSecret}` });
    const action = await ask(site, { method: 'POST', url: `${publicUrl}${ACTION}`, clientSecret: undefined });
    if (forged !== 401 || action !== 401) {
      const seen = `${publicUrl} answered ${forged} and ${action} to wrong signatures instead of 401`;
      return fail(NAME, seen, 'a proxy before the function answers in its place');
    }
    return ok(NAME, `both answer under ${publicUrl}/, to HubSpot only; see that the app names this address`);
  });
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Nothing: not signed. */
  readonly clientSecret: string | undefined;
}

/** @returns the status. */
async function ask({ send }: WholeSite, { method, url, clientSecret }: Asked): Promise<number> {
  const signed =
    clientSecret === undefined
      ? {}
      : signWebhook({ method, publicUrl: url, rawBody: '', clientSecret, timestampMs: clock.now() });
  const { status } = await send({ method, url, headers: signed, timeoutMs: 15 * SECOND_MS });
  return status;
}
