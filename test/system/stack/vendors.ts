import { createHash } from 'node:crypto';
import { systemClock as clock } from '#shared/kernel/adapters';
import {
  createDataServiceSandbox,
  type Person,
  type Settings,
} from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { serveSandbox } from '../../../infra/sandbox/serve.ts';
import { createPortal } from '../../harness/hubspot-portal.ts';
import { preparedPortal } from '../../harness/prepared-portal.ts';

export interface FoundPerson extends Person {
  readonly networkSlug: string;
}

/**
 * Both vendors' stand-ins on ports of this machine, and what happens at their side. The rate is far above the usual
 * one: bulk work spreads its questions over the minute, and the wait for them is real.
 */
export async function openVendors(receive: (request: Request) => Promise<Response>) {
  const dataService = createDataServiceSandbox({ clock, settings: { rateLimitPerMinute: 6_000 } });
  const saved = await preparedPortal(clock.now());
  const portal = createPortal({ clock, seed: 1, settings: {}, saved, receive });
  const next: { answer?: (answer: Response) => Promise<Response> } = {};
  const [service, hubSpot] = await Promise.all([
    serveSandbox({
      port: 0,
      handle: async (request) => {
        const answer = await dataService.handle(request);
        const change = next.answer;
        if (!change || request.url.includes('auth')) return answer;
        delete next.answer;
        return change(answer);
      },
    }),
    serveSandbox({ port: 0, handle: portal.sandbox.handle }),
  ]);
  const { people, companies } = dataService.world;
  return {
    portal,
    env: { DATA_SERVICE_BASE_URL: service.url, HUBSPOT_BASE_URL: hubSpot.url },
    /** People whom the data service finds by their profile. */
    people: people.filter((person): person is FoundPerson => person.networkSlug !== undefined),
    companies,
    changeService: async (change: Partial<Settings>) => {
      const init = { method: 'PUT', body: JSON.stringify(change) };
      const { ok, statusText } = await dataService.handle(
        new Request('http://localhost/_sandbox/settings', init),
      );
      if (!ok) throw new Error(statusText);
    },
    /** What happens between the data service's work and its next answer's arrival. */
    beforeNextAnswer: (change: (answer: Response) => Promise<Response>) => {
      next.answer = change;
    },
    /** Requests that were to be changed and never came. */
    isWaiting: () => next.answer !== undefined,
    close: async () => {
      await Promise.all([service.close(), hubSpot.close()]);
    },
  };
}

/** The same answer with a field of 66 KB that no packing makes smaller. */
export async function enlarged(answer: Response): Promise<Response> {
  const noise = Array.from({ length: 1_500 }, (_, nth) =>
    createHash('sha256').update(String(nth)).digest('base64'),
  );
  const larger = (record: unknown) => ({ ...Object(record), noise: noise.join('') });
  const { data, ...rest }: { data?: unknown } = Object(await answer.json());
  const body = { ...rest, data: Array.isArray(data) ? data.map(larger) : larger(data) };
  return Response.json(body, { status: answer.status, headers: answer.headers });
}
