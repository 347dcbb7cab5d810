import { expect, it } from 'vitest';
import { MINUTE_MS, wrongClock } from '#shared/kernel';
import { observedSend } from '../../../../infra/local/observed-send.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');

it("compares this machine's clock with the server that answered last", async () => {
  let date: string | undefined;
  const { send, referenceClock } = observedSend(
    async () => ({
      status: 200,
      headers: date === undefined ? {} : { date },
      body: '',
      receivedAtMs: NOON,
    }),
    { monotonic: () => 0 },
  );
  const answer = async (serverMs: number | undefined) => {
    date = serverMs === undefined ? undefined : new Date(serverMs).toUTCString();
    await send({ method: 'GET', url: 'https://api.example/', headers: {}, timeoutMs: 1 });
    return wrongClock({ referenceClock }) !== undefined;
  };
  expect(await answer(undefined)).toBe(false);
  expect(await answer(NOON + MINUTE_MS)).toBe(true);
  expect(await answer(undefined)).toBe(true);
  expect(await answer(NOON)).toBe(false);
});
