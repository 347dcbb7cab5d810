import type { HubSpotClientOptions } from '#inside/hubspot/hubspot-client.ts';
import type { HttpRequest, Send } from '#shared/http';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { seededRandom } from '#shared/kernel';
import { createStandInSend } from '../../../infra/local/virtual/stand-in-send.ts';
import {
  createHubSpotSandbox,
  type SandboxSettings,
} from '../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock } from '../../harness/manual-clock.ts';

const HOST = 'hubspot.example';

/** The stand-in with our client before it, and every request between them. */
export function openPortal(settings: Partial<SandboxSettings> = {}) {
  const clock = createManualClock({ startMs: Date.UTC(2026, 10, 21, 12), autoAdvance: true });
  const random = seededRandom(3);
  const sandbox = createHubSpotSandbox({ clock, random, settings });
  const requests: HttpRequest[] = [];
  const standIn = createStandInSend({ clock, hosts: { [HOST]: sandbox.handle } });
  const send: Send = (request) => {
    requests.push(request);
    return standIn(request);
  };
  const client = (options: Partial<HubSpotClientOptions> = {}) =>
    createHubSpotClient({
      baseUrl: `https://${HOST}`,
      accessToken: 'sandbox-token',
      send,
      clock,
      random,
      ...options,
    });
  return {
    clock,
    requests,
    client,
    /** The JSON bodies of the requests to paths that end so. */
    bodies: (suffix: string) =>
      requests.filter(({ url }) => url.endsWith(suffix)).map(({ body }) => JSON.parse(body ?? 'null')),
    /** `POST /_sandbox/<verb>`: a person does something. @returns the id of the record, where there is one. */
    person: async (verb: string, body: object): Promise<string> => {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const answer = await sandbox.handle(new Request(`https://${HOST}/_sandbox/${verb}`, init));
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      const { id = '' }: { readonly id?: string } = text === '' ? {} : JSON.parse(text);
      return id;
    },
  };
}

export type OpenPortal = ReturnType<typeof openPortal>;

/** So many contacts, made by a person. @returns their ids. */
export async function contactsIn({ person }: OpenPortal, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const properties = { email: `person-${made}@mail.example`, jobtitle: 'Potter' };
    ids.push(await person('create', { objectType: 'contact', properties }));
  }
  return ids;
}
