import { describe, expect, it } from 'vitest';
import type { RateAlgorithm } from '../../../../../infra/sandbox/data-service/rate-limit.ts';
import { AUTH, createCaller, START_MS } from './caller.ts';

const START_S = START_MS / 1_000;

function limited(rateAlgorithm: RateAlgorithm, rateLimitPerMinute = 3) {
  const caller = createCaller({ settings: { rateAlgorithm, rateLimitPerMinute } });
  const ask = async (key = 'sandbox-key') => {
    const { status, headers } = await caller.send(AUTH, { headers: { 'x-api-key': key } });
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`)),
    );
    return { status, limit, remaining, resetInS: (reset ?? 0) - START_S };
  };
  return { ...caller, ask };
}

describe('fixed', () => {
  it('opens its window with the first request and ends it 60 s later', async () => {
    const { ask, clock } = limited('fixed');
    expect(await ask()).toEqual({ status: 200, limit: 3, remaining: 2, resetInS: 60 });
    await clock.advance(59_000);
    await ask();
    expect(await ask()).toEqual({ status: 200, limit: 3, remaining: 0, resetInS: 60 });
    expect(await ask()).toEqual({ status: 429, limit: 3, remaining: 0, resetInS: 60 });
    await clock.advance(999);
    expect((await ask()).status).toBe(429);
    await clock.advance(1);
    expect(await ask()).toEqual({ status: 200, limit: 3, remaining: 2, resetInS: 120 });
  });

  it('counts each key by itself, and refused ones not at all', async () => {
    const { ask } = limited('fixed', 1);
    expect((await ask('wrong')).remaining).toBe(1);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    expect((await ask('sandbox-key-2')).status).toBe(200);
  });
});

it('sliding counts the arrivals of the last 60 s and is reset when the oldest leaves', async () => {
  const { ask, clock } = limited('sliding');
  await ask();
  await clock.advance(30_000);
  await ask();
  expect(await ask()).toEqual({ status: 200, limit: 3, remaining: 0, resetInS: 60 });
  await clock.advance(29_999);
  expect((await ask()).status).toBe(429);
  await clock.advance(1);
  expect(await ask()).toEqual({ status: 200, limit: 3, remaining: 0, resetInS: 90 });
  expect((await ask()).status).toBe(429);
});

it('bucket refills evenly and is reset when one token is back', async () => {
  const { ask, clock } = limited('bucket');
  expect(await ask()).toEqual({ status: 200, limit: 3, remaining: 2, resetInS: 20 });
  await ask();
  await ask();
  await clock.advance(19_999);
  expect(await ask()).toEqual({ status: 429, limit: 3, remaining: 0, resetInS: 20 });
  await clock.advance(1);
  expect(await ask()).toEqual({ status: 200, limit: 3, remaining: 0, resetInS: 40 });
  await clock.advance(600_000);
  expect((await ask()).remaining).toBe(2);
});

it('answers have the rate headers only if the setting says so', async () => {
  const { send } = createCaller({ settings: { rateHeaders: false } });
  expect([...(await send(AUTH)).headers.keys()].sort()).toEqual(['content-type', 'date']);
});

it('the default goes on in a saved window', async () => {
  const { sandbox, send } = createCaller({ settings: { rateLimitPerMinute: 1 } });
  await send(AUTH);
  const again = createCaller({ settings: { rateLimitPerMinute: 1 }, saved: sandbox.state() });
  expect((await again.send(AUTH)).status).toBe(429);
});
