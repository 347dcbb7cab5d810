import { MARKED_PROPERTY, markSeen } from '#shared/field-policy';
import { createUndiciSend } from '#shared/http/adapters';
import type { HubSpotClient } from '#shared/hubspot';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { SECOND_MS } from '#shared/kernel';
import { systemClock as clock, createDigest, systemRandom as random } from '#shared/kernel/adapters';
import type { VendorClient } from '#shared/vendor';
import { openVendor } from '#shared/vendor/adapters';
import { ConfigurationError } from '../configuration-faults.ts';
import type { Settings } from '../schemas.ts';
import type { GivenKeys } from './secrets.ts';

/** Short, because a person waits at the terminal. An unreachable service fails within seconds. */
const PATIENCE_MS = 10 * SECOND_MS;

export interface KeysWish {
  readonly settings: Pick<Settings, 'dataServiceBaseUrl' | 'hubSpotBaseUrl' | 'hubSpotPortalId'>;
  /** Reads the installation secret, if there is one. The secret identifies our own mark in HubSpot. */
  readonly installationSecret: () => Promise<string | undefined>;
  readonly isSecondMeant: boolean;
  readonly warn: (line: string) => void;
}

/**
 * Checks the keys at both services before they are stored, at no cost. Continues if a service does not answer.
 * @throws ConfigurationError if a key is refused, or belongs to an account with another installation
 */
export async function checkKeys(keys: GivenKeys, wish: KeysWish): Promise<void> {
  const { send, close } = createUndiciSend({ clock, connectTimeoutMs: PATIENCE_MS });
  const { dataServiceBaseUrl, hubSpotBaseUrl } = wish.settings;
  try {
    if (keys.dataServiceApiKey !== undefined) {
      const apiKey = keys.dataServiceApiKey;
      const given = { baseUrl: dataServiceBaseUrl, apiKey, send, clock, random, timeoutMs: PATIENCE_MS };
      await accepted('DATA_SERVICE_API_KEY', { wish, ask: () => checkKey(openVendor(given)) });
    }
    if (keys.hubSpotAccessToken !== undefined) {
      const baseUrl = hubSpotBaseUrl !== undefined && { baseUrl: hubSpotBaseUrl };
      const token = { ...baseUrl, accessToken: keys.hubSpotAccessToken };
      const client = createHubSpotClient({ ...token, send, clock, random, retryForMs: PATIENCE_MS });
      await accepted('HUBSPOT_ACCESS_TOKEN', { wish, ask: () => checkAccount(client, wish) });
    }
  } finally {
    await close();
  }
}

async function accepted(
  variable: string,
  { wish, ask }: { wish: KeysWish; ask: () => Promise<unknown> },
): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof ConfigurationError || !(error instanceof Error && 'code' in error)) throw error;
    const reason = error.message.replace(/\.$/, '');
    if (/_UNAUTHORIZED$/.test(String(error.code)))
      throw new ConfigurationError('key-refused', { variable, reason });
    wish.warn(`WARNING: ${variable} was not checked: ${reason}.`);
  }
}

async function checkKey(vendor: Pick<VendorClient, 'checkKey'>): Promise<void> {
  const { error } = await vendor.checkKey({ timeoutMs: PATIENCE_MS });
  if (error) throw error;
}

async function checkAccount(
  hubSpot: Pick<HubSpotClient, 'accountDetails' | 'listProperties'>,
  { settings, installationSecret, isSecondMeant }: KeysWish,
): Promise<void> {
  const { portalId } = await hubSpot.accountDetails();
  const meant = settings.hubSpotPortalId ?? String(portalId);
  if (meant !== String(portalId))
    throw new ConfigurationError('other-account', { portalId: String(portalId), meant });
  if (isSecondMeant) return;
  const listed = await hubSpot.listProperties(MARKED_PROPERTY.objectType);
  const property = listed.find(({ name, archived }) => name === MARKED_PROPERTY.name && !archived);
  const digest = createDigest((await installationSecret()) ?? 'no installation secret yet');
  if (markSeen(property?.description, digest) !== 'other') return;
  throw new ConfigurationError('second-installation', { portalId: String(portalId) });
}
