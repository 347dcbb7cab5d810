import type { Clock } from '#shared/kernel';
import { SECOND_MS } from '#shared/kernel';
import { ACTIVE_KEYS } from '../../../sandbox/data-service/data-service-sandbox.ts';
import { SettingsError } from '../../settings.ts';
import { StepStopped } from '../account.ts';
import { jsonText, listOf, partOf } from '../json-parts.ts';

/** Addresses at which the deployed functions and this machine can reach `npm run sandbox`. */
export interface StandInAddresses {
  readonly hubSpotUrl: string;
  readonly dataServiceUrl: string;
  readonly keys: Readonly<
    Record<'DATA_SERVICE_API_KEY' | 'HUBSPOT_ACCESS_TOKEN' | 'HUBSPOT_CLIENT_SECRET', string>
  >;
  readonly appId: string | undefined;
}

const ASK_MS = 15 * SECOND_MS;

/**
 * Accepts only stand-ins, so that the rehearsal cannot spend credits. A stand-in returns its settings, which a real
 * service does not have.
 * @throws SettingsError if an address does not lead to a stand-in
 */
export async function openStandInServices(
  hubSpotUrl: string,
  dataServiceUrl: string,
): Promise<StandInAddresses> {
  const hubSpot = await settingsOf(hubSpotUrl, 'accessToken');
  await settingsOf(dataServiceUrl, 'creditBalance');
  return {
    hubSpotUrl,
    dataServiceUrl,
    keys: {
      DATA_SERVICE_API_KEY: ACTIVE_KEYS[0] ?? '',
      HUBSPOT_ACCESS_TOKEN: jsonText(hubSpot, 'accessToken') ?? '',
      HUBSPOT_CLIENT_SECRET: jsonText(hubSpot, 'clientSecret') ?? '',
    },
    appId: partOf(hubSpot, 'appId') === undefined ? undefined : String(partOf(hubSpot, 'appId')),
  };
}

async function settingsOf(url: string, expectedSetting: string): Promise<unknown> {
  const settings = await ask(url, 'settings').catch(() => undefined);
  if (partOf(settings, expectedSetting) !== undefined) return settings;
  throw new SettingsError(
    `${url} is no stand-in of this project: start npm run sandbox, lead a tunnel to it, and give the tunnel's address.`,
  );
}

/** Calls a verb of a stand-in. @throws StepStopped if it does not answer */
async function ask(
  url: string,
  verb: string,
  sent?: { method: 'PUT' | 'POST'; body: object },
): Promise<unknown> {
  const init = sent
    ? {
        method: sent.method,
        body: JSON.stringify(sent.body),
        headers: { 'content-type': 'application/json' },
      }
    : {};
  try {
    const answer = await fetch(`${url}/_sandbox/${verb}`, { ...init, signal: AbortSignal.timeout(ASK_MS) });
    if (!answer.ok) throw new StepStopped(`a stand-in answered HTTP ${answer.status}`);
    return await answer.json();
  } catch (error) {
    if (error instanceof StepStopped) throw error;
    throw new StepStopped('a stand-in of the services does not answer');
  }
}

/** Actions of a tester during the rehearsal, and readings of the stand-ins. */
export function peopleAtStandIns({ hubSpotUrl, dataServiceUrl }: StandInAddresses) {
  return {
    deliverTo: (webhookUrl: string | null) =>
      ask(hubSpotUrl, 'settings', { method: 'PUT', body: { webhookUrl } }),
    slowDataService: (latencyMs: number) =>
      ask(dataServiceUrl, 'settings', { method: 'PUT', body: { latencyMs } }),
    credits: async (): Promise<number> => Number(partOf(await ask(dataServiceUrl, 'bill'), 'creditsCharged')),
    /**
     * Creates a contact for one person of the data service: number `index` of those with complete data.
     * @returns the contact's id
     */
    createContact: async (index: number): Promise<string> => {
      const known = listOf(await ask(dataServiceUrl, 'records?kind=person&limit=100'), 'records');
      const complete = known.filter((one) => 'email' in one && 'seniority' in one && 'city' in one);
      const url = jsonText(complete[index], 'network_url');
      const body = { objectType: 'contact', properties: { hs_linkedin_url: url } };
      return String(partOf(await ask(hubSpotUrl, 'create', { method: 'POST', body }), 'id'));
    },
    /** The contact's status in HubSpot. Absent before its first run has ended. */
    statusOf: async (id: string): Promise<string | undefined> => {
      const records = listOf(await ask(hubSpotUrl, 'records'), 'records');
      const contact = records.find((one) => String(one['id']) === id);
      return jsonText(contact, 'properties', 'enrichment_status');
    },
  };
}

/** @returns the time until the condition became true, in milliseconds, or `undefined` if it did not in time */
export async function becomesTrue(
  look: () => Promise<boolean>,
  { clock, withinMs, signal }: { clock: Clock; withinMs: number; signal: AbortSignal | undefined },
): Promise<number | undefined> {
  const startedMs = clock.monotonic();
  while (!(await look())) {
    if (clock.monotonic() - startedMs > withinMs) return undefined;
    await clock.sleep(SECOND_MS, signal);
  }
  return clock.monotonic() - startedMs;
}
