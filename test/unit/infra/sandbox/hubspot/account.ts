import { seededRandom } from '#shared/kernel';
import {
  createHubSpotSandbox,
  type HubSpotSandbox,
  type SandboxSettings,
  type Send,
} from '../../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createManualClock, type ManualClock } from '../../../../harness/manual-clock.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);

/** Lets everything that is ready to run do so. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
export type Body = any;

export interface Account {
  readonly sandbox: HubSpotSandbox;
  readonly clock: ManualClock;
  /** With the app's token. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** `POST /_sandbox/<verb>`, as a person unless the body says otherwise. */
  person(verb: string, body: unknown): Promise<Answer>;
  settings(patch: Partial<SandboxSettings>): Promise<Answer>;
}

interface Wish {
  readonly settings?: Partial<SandboxSettings>;
  readonly send?: Send;
  readonly saved?: unknown;
  readonly clock?: ManualClock;
  readonly seed?: number;
}

export const CONTACTS = '/crm/objects/2026-09/contacts';
export const COMPANIES = '/crm/objects/2026-09/companies';

export function openAccount({
  settings = {},
  clock = createManualClock({ startMs: START_MS }),
  seed = 7,
  ...rest
}: Wish = {}): Account {
  const sandbox = createHubSpotSandbox({ clock, random: seededRandom(seed), settings, ...rest });
  const ask = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await sandbox.handle(new Request(`https://api.hubapi.com${path}`, init));
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  const token = settings.accessToken ?? 'sandbox-token';
  return {
    sandbox,
    clock,
    call: (method, path, body) => ask(method, path, body, { authorization: `Bearer ${token}` }),
    person: (verb, body) => ask('POST', `/_sandbox/${verb}`, body, {}),
    settings: (patch) => ask('PUT', '/_sandbox/settings', patch, {}),
  };
}

/** Creates a record as a person and gives its id. */
export async function born(
  account: Account,
  objectType: 'contact' | 'company',
  properties: Record<string, string>,
): Promise<string> {
  const answer = await account.person('create', { objectType, properties });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

/** A batch of one: its result, or the refusal of the whole. */
async function alone(account: Account, path: string, body: object): Promise<Answer> {
  const answer = await account.call('POST', path, body);
  return { ...answer, body: answer.body.results?.[0] ?? answer.body };
}

export function create(account: Account, path: string, properties: object): Promise<Answer> {
  return alone(account, `${path}/batch/create`, { inputs: [{ properties }] });
}

export function update(account: Account, path: string, id: string, properties: object): Promise<Answer> {
  return alone(account, `${path}/batch/update`, { inputs: [{ id, properties }] });
}

interface Look {
  readonly id: string;
  readonly properties?: readonly string[];
  readonly history?: readonly string[];
}

/** The record as a batch read shows it; without one, the answer's errors. */
export async function read(account: Account, path: string, { id, ...look }: Look): Promise<Body> {
  const body = {
    properties: look.properties ?? [],
    propertiesWithHistory: look.history ?? [],
    inputs: [{ id }],
  };
  return (await alone(account, `${path}/batch/read`, body)).body;
}
