import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { HOUR_MS } from '#shared/kernel';
import { openItems } from '#shared/store';
import { openLocalStore, storeFileIn } from '../../../../infra/local/local-store.ts';
import { runSchedules, storeSchedules } from '../../../../infra/local/loops.ts';
import { createManualClock } from '../../../../infra/local/virtual/manual-clock.ts';

const policy = parsePolicy({ budgets: { perDay: 10 } });
const clock = createManualClock({ startMs: 0, autoAdvance: true });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const open = (name: string) => openLocalStore(join(folder, name), { policy, clock }).store;

it('the file of the store is for this user only, also where it was copied', () => {
  open('copied').close();
  const file = storeFileIn(join(folder, 'copied'));
  chmodSync(file, 0o644);
  open('copied').close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('an item leaves all files within the hour after it expires, and no other does', async () => {
  const store = open('expired');
  const kind = {
    prefix: 'thing',
    scope: 'portal' as const,
    table: 'state' as const,
    schema: { parse: (stored: unknown) => stored as Body },
    fields: undefined,
    place: () => undefined,
    expiry: { kept: '', at: ({ untilMs }: Body) => untilMs },
  };
  const items = openItems<Body>({ store }, kind);
  const write = (value: Body) => items.write({ key: value.text as never, value, expectedVersion: undefined });
  await write({ text: 'expires-soon', untilMs: 30 });
  await write({ text: 'expires-late', untilMs: 100 * HOUR_MS });
  const inFiles = (text: string) =>
    readdirSync(join(folder, 'expired')).some((name) =>
      readFileSync(join(folder, 'expired', name)).includes(text),
    );
  expect(inFiles('expires-soon')).toBe(true);
  const ended = new AbortController();
  const running = runSchedules(storeSchedules(store, clock), { clock, signal: ended.signal });
  await clock.sleep(HOUR_MS + 60_000);
  ended.abort();
  await running;
  expect([inFiles('expires-soon'), inFiles('expires-late')]).toEqual([false, true]);
  store.close();
});

interface Body {
  readonly text: string;
  readonly untilMs: number;
}
