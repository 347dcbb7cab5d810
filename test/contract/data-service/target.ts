import { afterAll, beforeAll, vi } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { createDataServiceSandbox } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { serveSandbox } from '../../../infra/sandbox/serve.ts';
import { type Answer, type Fields, send } from './answer.ts';
import type { Endpoint } from './endpoints.ts';

export interface Target {
  /** Asks and, where a real service says 429, waits for its reset and asks again. `null` sends no key. */
  ask(endpoint: Pick<Endpoint, 'method' | 'path'>, params?: Fields, key?: string | null): Promise<Answer>;
  /** Asks once, whatever comes. */
  askOnce: Target['ask'];
  /** A verb under `/_sandbox/`, which no real service has. @throws when it is refused */
  verb(method: 'GET' | 'PUT' | 'POST', name: string, params?: Fields): Promise<Fields>;
}

const STAND_IN_KEY = 'sandbox-key';
const PLENTY = { rateLimitPerMinute: 1_000_000 };

const givenUrl = process.env['DATA_SERVICE_CONFORMANCE_URL']?.replace(/\/+$/, '');
const key =
  process.env['DATA_SERVICE_CONFORMANCE_KEY'] ?? (givenUrl === undefined ? STAND_IN_KEY : undefined);

/**
 * `own`: a stand-in that nobody else uses, started by each test file. `shared`: a stand-in at the address given;
 * its records are read and its rate is raised, but its bill and balance are not ours. `service`: has no verbs.
 */
export const targetKind = givenUrl === undefined ? 'own' : await kindOf(givenUrl);

/** Whether settings and bill may be used: not at an address where others may be at work at the same time. */
export const isOwn = targetKind === 'own';

if (targetKind === 'service') {
  const patience = { testTimeout: 900_000, hookTimeout: 1_800_000 };
  vi.setConfig(patience);
}

/** The service under test, from before the first test of the calling file to after its last. */
export function useTarget(): Target {
  let url = givenUrl ?? '';
  let close = async () => {};
  const askOnce: Target['ask'] = ({ method, path }, params = {}, ownKey = keyToUse()) =>
    send({ method, url: url + path, params, key: ownKey });
  const verb: Target['verb'] = async (method, name, params = {}) => {
    const { status, body } = await send({ method, url: `${url}/_sandbox/${name}`, params, key: null });
    if (status !== 200) throw new Error(`${method} ${name} was refused: ${JSON.stringify(body)}`);
    return body;
  };

  beforeAll(async () => {
    if (isOwn) ({ url, close } = await startStandIn());
    if (targetKind !== 'service') await verb('PUT', 'settings', PLENTY);
  });
  afterAll(() => close());

  return { askOnce, verb, ask: targetKind === 'service' ? patiently(askOnce) : askOnce };
}

/** A stand-in without a socket, whatever address is given. */
function createStandIn(): (request: Request) => Promise<Response> {
  return createDataServiceSandbox({ clock: systemClock }).handle;
}

/** Brings back the settings that a stand-in starts with, and a rate that is in nobody's way. */
export async function refresh({ verb }: Target): Promise<void> {
  await verb('POST', 'reset');
  await verb('PUT', 'settings', PLENTY);
}

async function startStandIn() {
  return serveSandbox({ handle: createStandIn(), port: 0 });
}

function keyToUse(): string {
  if (key !== undefined) return key;
  throw new Error('DATA_SERVICE_CONFORMANCE_URL is set, so DATA_SERVICE_CONFORMANCE_KEY must be set too.');
}

async function kindOf(url: string): Promise<'shared' | 'service'> {
  const response = await fetch(`${url}/_sandbox/settings`);
  const text = await response.text();
  return response.status === 200 && text.includes('rateLimitPerMinute') ? 'shared' : 'service';
}

function patiently(ask: Target['ask']): Target['ask'] {
  return async (...args) => {
    for (;;) {
      const answer = await ask(...args);
      if (answer.status !== 429) return answer;
      const resetMs = Number(answer.headers.get('X-RateLimit-Reset')) * 1_000;
      await systemClock.sleep(Math.min(60_000, Math.max(1_000, resetMs - systemClock.now())));
    }
  };
}
