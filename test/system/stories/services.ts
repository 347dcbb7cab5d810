import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { createPrograms } from '../../harness/programs.ts';

type Json = Readonly<Record<string, unknown>>;

/** The two services on ports of their own, as somebody who has real accounts would reach them. */
export async function startServices({ sandbox }: ReturnType<typeof createPrograms>) {
  const started = sandbox(['--data-service-port', '0', '--hubspot-port', '0']);
  const addressOf = async (name: string) => {
    const line = await started.line(new RegExp(`^${name} +http`));
    return line.split(/\s+/).at(-1) ?? '';
  };
  const [dataService, hubSpot] = [await addressOf('Data service'), await addressOf('HubSpot')];
  return {
    dataService,
    hubSpot,
    /** The settings of an installation that uses them. */
    env: {
      DATA_SERVICE_BASE_URL: dataService,
      DATA_SERVICE_API_KEY: 'sandbox-key',
      HUBSPOT_BASE_URL: hubSpot,
      HUBSPOT_ACCESS_TOKEN: 'sandbox-token',
      HUBSPOT_CLIENT_SECRET: 'sandbox-client-secret',
      CREDITS_PER_DAY: '50',
    },
    bill: () => ask(`${dataService}/_sandbox/bill`),
    setDataService: (settings: Json) =>
      ask(`${dataService}/_sandbox/settings`, { method: 'PUT', body: settings }),
    setHubSpot: (settings: Json) => ask(`${hubSpot}/_sandbox/settings`, { method: 'PUT', body: settings }),
    /** What people and companies are found by whom the data service knows. */
    known: async (limit: number) => {
      const list = async (kind: string) =>
        (await ask(`${dataService}/_sandbox/records?kind=${kind}&limit=${limit}`))['records'] as Json[];
      const people = await list('person');
      const each = (key: string) => people.flatMap((person) => (person[key] ? String(person[key]) : []));
      const domains = people.flatMap((person) => String(person['organizations.primary_domain']));
      return { emails: each('email'), profiles: each('network_url'), domains: [...new Set(domains)] };
    },
    createContact: (properties: Json) =>
      ask(`${hubSpot}/_sandbox/create`, { method: 'POST', body: { objectType: 'contacts', properties } }),
    createCompany: (properties: Json) =>
      ask(`${hubSpot}/_sandbox/create`, { method: 'POST', body: { objectType: 'companies', properties } }),
    /** What has been asked of HubSpot, as method and path. */
    hubSpotRequests: async () => {
      const { requests } = (await ask(`${hubSpot}/_sandbox/requests`)) as {
        requests: { method: string; path: string }[];
      };
      return requests.map(({ method, path }) => `${method} ${path}`);
    },
  };
}

async function ask(url: string, { method = 'GET', body }: { method?: string; body?: Json } = {}) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await response.json()) as Json;
}

/** A port that nobody uses. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server that is none of the two services, and answers everything alike. */
export async function startStranger(answer: { status: number; type: string; body: string }) {
  const server = createServer((_, response) => {
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
