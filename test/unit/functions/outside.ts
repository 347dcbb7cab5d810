import { systemClock as clock } from '#shared/kernel/adapters';
import { createDataServiceSandbox } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createHubSpotSandbox } from '../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../../../infra/sandbox/serve.ts';
import { preparedPortal } from '../../harness/prepared-portal.ts';

export interface Outside {
  /** Addresses, for a function's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Creates a contact with only the profile's address. */
  createContact(): Promise<{ readonly id: string }>;
  propertiesOf(id: string): Promise<Readonly<Record<string, string | null>>>;
  close(): Promise<void>;
}

const HEADERS = { authorization: 'Bearer sandbox-token', 'content-type': 'application/json' };

/** Starts both vendors' stand-ins on local ports, in real time. */
export async function startOutside(): Promise<Outside> {
  const dataService = createDataServiceSandbox({ clock, settings: { latencyMs: 0 } });
  const hubSpot = createHubSpotSandbox({ clock, saved: await preparedPortal(clock.now()) });
  const [servedData, servedHubSpot] = await Promise.all([
    serveSandbox({ handle: dataService.handle, port: 0 }),
    serveSandbox({ handle: hubSpot.handle, port: 0 }),
  ]);
  const contacts = `${servedHubSpot.url}/crm/objects/2026-09/contacts/batch`;
  return {
    env: { DATA_SERVICE_BASE_URL: servedData.url, HUBSPOT_BASE_URL: servedHubSpot.url },
    createContact: async () => {
      const person = dataService.world.people.find(({ networkSlug, job }) => networkSlug && job.email);
      const properties = { hs_linkedin_url: `https://www.linkedin.com/in/${person?.networkSlug}` };
      return await call(`${contacts}/create`, { inputs: [{ properties }] });
    },
    propertiesOf: async (id) => {
      const properties = ['enrichment_status', 'enrichment_credits', 'firstname'];
      return (await call(`${contacts}/read`, { properties, inputs: [{ id }] })).properties;
    },
    close: async () => {
      await Promise.all([servedData.close(), servedHubSpot.close()]);
    },
  };
}

interface Contact {
  readonly id: string;
  readonly properties: Record<string, string | null>;
}

/** Sends a batch of one, and returns its result. */
async function call(url: string, body: object): Promise<Contact> {
  const response = await fetch(url, { headers: HEADERS, method: 'POST', body: JSON.stringify(body) });
  const { results } = (await response.json()) as { results?: [Contact] };
  if (!results) throw new Error(`${url} answered ${response.status}.`);
  return results[0];
}
