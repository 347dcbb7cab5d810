import { createDataServiceSandbox } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createHubSpotSandbox } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../../infra/sandbox/serve.ts';
import { systemClock as clock } from '../../shared/kernel/clock.system.ts';
import { preparedPortal } from './prepared-portal.ts';

export interface Outside {
  /** Their addresses, for a function's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A contact of whom only the profile's address is known. */
  createContact(): Promise<{ readonly id: string; readonly url: string }>;
  propertiesOf(url: string): Promise<Readonly<Record<string, string | null>>>;
  close(): Promise<void>;
}

const HEADERS = { authorization: 'Bearer sandbox-token', 'content-type': 'application/json' };

/** Both vendors' stand-ins on ports of this machine, in real time. */
export async function startOutside(): Promise<Outside> {
  const dataService = createDataServiceSandbox({ clock, settings: { latencyMs: 0 } });
  const hubSpot = createHubSpotSandbox({ clock, saved: await preparedPortal(clock.now()) });
  const [servedData, servedHubSpot] = await Promise.all([
    serveSandbox({ handle: dataService.handle, port: 0 }),
    serveSandbox({ handle: hubSpot.handle, port: 0 }),
  ]);
  const contacts = `${servedHubSpot.url}/crm/v3/objects/contacts`;
  return {
    env: { DATA_SERVICE_BASE_URL: servedData.url, HUBSPOT_BASE_URL: servedHubSpot.url },
    createContact: async () => {
      const person = dataService.world.people.find(({ networkSlug, job }) => networkSlug && job.email);
      const properties = { hs_linkedin_url: `https://www.linkedin.com/in/${person?.networkSlug}` };
      const { id } = await call<{ id: string }>(contacts, { properties });
      return { id, url: `${contacts}/${id}` };
    },
    propertiesOf: async (url) => {
      const query = 'properties=enrichment_status,enrichment_credits,firstname';
      return (await call<{ properties: Record<string, string | null> }>(`${url}?${query}`)).properties;
    },
    close: async () => {
      await Promise.all([servedData.close(), servedHubSpot.close()]);
    },
  };
}

async function call<T>(url: string, body?: unknown): Promise<T> {
  const response = await fetch(url, {
    headers: HEADERS,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
