import type { HomeView } from '#inside/home/schemas.ts';
import type { RecordView } from '#inside/requests/record-view.ts';
import type { RequestProgress, ShownReply } from '../../functions/serve-hubspot/handler.ts';
import { type RecordName, WEBHOOK_URL } from './hubspot-portal.ts';
import { settleDown } from './steps.ts';
import type { World } from './world.ts';

export interface Shown {
  readonly view: RecordView;
  readonly progress?: RequestProgress;
}

/** The body of a request of the card or of the home page. */
export interface PageRequest {
  readonly id: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

interface Fetched {
  readonly status: number;
  readonly text: string;
}

/** `hubspot.fetch` for a user at a record's card: the stand-in signs, the real function answers. */
export function cardOf(world: World, { objectType, id }: RecordName, userId?: string) {
  const base = `${WEBHOOK_URL}/records/${objectType}/${id}`;
  const fetched = (url: string, more: object = {}) => verb<Fetched>(world, 'fetch', { url, userId, ...more });
  const show = async (request?: string): Promise<Shown> => {
    const { status, text } = await fetched(request ? `${base}?request=${request}` : base);
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    show,
    post: (request: PageRequest) =>
      fetched(`${base}/requests`, { method: 'POST', body: JSON.stringify(request) }),
    /** Sends a request, and asks again when the workers have finished. */
    ask: async (request: PageRequest): Promise<Shown> => {
      const { status, text } = await fetched(`${base}/requests`, {
        method: 'POST',
        body: JSON.stringify(request),
      });
      if (status !== 202) throw new Error(`${status}: ${text}`);
      await settleDown(world);
      return show(request.id);
    },
  };
}

interface ShownHome {
  readonly view?: HomeView | undefined;
  readonly reply?: ShownReply | undefined;
}

/** `hubspot.fetch` of a person at the app's home page; of user 1001 unless another is given. */
export function homeOf(world: World, { userId }: { readonly userId?: number } = {}) {
  const by = userId === undefined ? {} : { userId: String(userId) };
  const fetched = (path: string, more: object = {}) =>
    verb<Fetched>(world, 'fetch', { url: `${WEBHOOK_URL}/home${path}`, ...more, ...by });
  const post = (request: PageRequest) =>
    fetched('/requests', { method: 'POST', body: JSON.stringify(request) });
  const show = async (request?: string): Promise<ShownHome> => {
    const { status, text } = await fetched(request ? `?request=${request}` : '');
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return JSON.parse(text);
  };
  const reply = async (request: string) => (await show(request)).reply;
  return {
    post,
    show,
    reply,
    /** Decides, and looks again when the workers have done what they could. */
    decide: async (request: PageRequest) => {
      const { status, text } = await post(request);
      if (status !== 202) throw new Error(`${status}: ${text}`);
      await settleDown(world);
      return reply(request.id);
    },
  };
}

/** Sends an action of a person or of HubSpot to the stand-in. */
export async function verb<R>(world: World, path: string, body?: object): Promise<R> {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const request = new Request(`https://hubspot.example/_sandbox/${path}`, init);
  const response = await world.portal.sandbox.handle(request);
  if (!response.ok) throw new Error(await response.text());
  return response.json() as Promise<R>;
}
