import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditNext, countWaiting, lastWaiting } from '#inside/records/passes.ts';
import { type StoredStatus, type SweepCursor, statusSchema } from '#inside/records/schemas.ts';
import { afterPage, nextWindow } from '#inside/records/sweep-created.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { defer, newRecordState, openWaiting, RECORD_PLACES, type RecordState } from '#shared/records';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { createWorld } from '../../../harness/world.ts';

const SETTLED: RecordState = {
  ...newRecordState('contacts', '1'),
  runsOpened: 1,
  outcomes: { enriched: 1, unchanged: 0, unmatched: 0, skipped: 0, failed: 0 },
};
const WAITS = openWaiting(newRecordState('contacts', '2'), {
  runId: 'r',
  purpose: 'import',
  nowMs: 0,
  untilMs: 0,
  reason: 'queued',
});

/** Pages of a table too large to make, all of them alike; `read` counts them. */
function tableOf(pages: Readonly<Record<string, readonly (readonly RecordState[])[]>>) {
  let read = 0;
  return {
    read: () => read,
    page: async ({ partition, after = '0' }: { partition: string; after?: string | undefined }) => {
      const ofPlace = pages[partition] ?? [];
      if (ofPlace.length > 0) read += 1;
      const next = Number(after) + 1;
      return { values: ofPlace[Number(after)] ?? [], ...(next < ofPlace.length && { next: String(next) }) };
    },
  };
}

const many = (count: number, page: readonly RecordState[]) => Array.from({ length: count }, () => page);

function stage(records: ReturnType<typeof tableOf>) {
  let nowMs = 0;
  const clock = { now: () => nowMs, sleep: async () => undefined };
  const status = createMemoryItems<StoredStatus>();
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    audit: () => auditNext({ records, status, clock }),
    count: () => countWaiting({ records, status, clock }),
    last: () => lastWaiting(status),
    kept: async () => ({
      audit: statusSchema.parse((await status.read('runs'))?.value).runs,
      count: statusSchema.parse((await status.read('waiting'))?.value ?? {}).waiting,
    }),
  };
}

describe('a round through the records', () => {
  it('reads five pages at most at once, and ends within a day with two million records', async () => {
    // A page of 1 MB holds about 700 of them; these stand for so many.
    const table = tableOf({
      'in-turn-import': many(900, [WAITS]),
      settled: many(2_000, [SETTLED, SETTLED]),
    });
    const { audit, pass } = stage(table);
    let [parts, before] = [0, 0];
    for (let whole: unknown; whole === undefined; parts += 1) {
      whole = (await audit())?.whole;
      expect(table.read() - before).toBeLessThanOrEqual(5);
      before = table.read();
      pass(MINUTE_MS);
    }
    expect(parts).toBeLessThan(DAY_MS / MINUTE_MS);
    expect(table.read()).toBe(2_900);
  });

  it('begins anew a day after the last one began, or as soon as that has ended', async () => {
    const { audit, pass } = stage(tableOf({ settled: many(6, [SETTLED]) }));
    expect((await audit())?.whole).toBeUndefined();
    pass(2 * DAY_MS);
    expect((await audit())?.whole?.records).toBe(6);
    expect((await audit())?.whole).toBeUndefined();
    expect((await audit())?.whole?.records).toBe(6);
    expect(await audit()).toBeUndefined();
    pass(DAY_MS - 1);
    expect(await audit()).toBeUndefined();
    pass(1);
    expect(await audit()).toBeDefined();
  });

  it('goes through every place', async () => {
    const everywhere = Object.fromEntries(RECORD_PLACES.map((place) => [place, [[SETTLED]]]));
    const { audit } = stage(tableOf(everywhere));
    let records: number | undefined;
    while (records === undefined) records = (await audit())?.whole?.records;
    expect(records).toBe(RECORD_PLACES.length);
  });
});

describe('the count of waiting records', () => {
  const putOff = (id: string, reason: string, nowMs: number): RecordState =>
    defer(openWaiting(newRecordState('contacts', id), { ...OPENING, nowMs }), {
      reason,
      untilMs: nowMs,
      credits: 0,
      learned: {},
      nowMs,
    });
  const OPENING = { runId: 'r', purpose: 'live', untilMs: 0, reason: 'queued' } as const;

  it('tells how many wait where, and since when the longest waits for whom', async () => {
    const table = tableOf({
      'in-turn-import': many(3, [WAITS, WAITS]),
      'waiting-live': [
        [putOff('4', 'HUBSPOT_UNAVAILABLE', 500), putOff('5', 'HTTP_TIMEOUT', 400)],
        [putOff('6', 'key-refused', 700), putOff('7', 'HUBSPOT_REFUSES', 1), putOff('8', 'clock-wrong', 9)],
      ],
    });
    const { count, last, kept, audit } = stage(table);
    await count();
    await count();
    expect(await last()).toEqual({
      records: { 'in-turn-import': 6, 'waiting-live': 5 },
      reasons: {
        HUBSPOT_UNAVAILABLE: 1,
        HTTP_TIMEOUT: 1,
        'key-refused': 1,
        'HUBSPOT_REFUSES contacts': 1,
        'clock-wrong': 1,
      },
      sinceMs: { hubspot: 400, 'data-service': 700, refusal: 1, ourselves: 9 },
      atMs: 0,
    });
    await audit();
    expect((await kept()).count).toBeDefined();
  });

  it('knows the longest wait while a worker retries its record', async () => {
    const { waiting: _, ...retried } = putOff('9', 'key-refused', 300);
    const held = { ...retried, claim: { owner: 'w', untilMs: 1_000 } };
    const { count, last } = stage(
      tableOf({ 'waiting-live': [[putOff('4', 'key-refused', 500)]], 'running-live': [[held]] }),
    );
    await count();
    expect(await last()).toMatchObject({
      records: { 'waiting-live': 1 },
      reasons: { 'key-refused': 1 },
      sinceMs: { 'data-service': 300 },
    });
  });

  it('counts from when a run was put off for the same one first, whatever it tried meanwhile', () => {
    const first = putOff('1', 'HUBSPOT_UNAVAILABLE', 100);
    const again = (reason: string, nowMs: number, state = first) =>
      defer(state, { reason, untilMs: 0, credits: 0, learned: {}, nowMs }).run?.waitsFor;
    expect(again('HTTP_TIMEOUT', 900)).toEqual({ whom: 'hubspot', sinceMs: 100 });
    expect(again('out-of-credits', 900)).toEqual({ whom: 'data-service', sinceMs: 900 });
    expect(again('budget', 900)).toBeUndefined();
  });
});

const INSTALLED = 1_000_000_000;

describe('after a page', () => {
  const window = { fromMs: INSTALLED, toMs: INSTALLED + 60 * MINUTE_MS };

  it('that was not, the next window overlaps by what HubSpot’s search may lag behind', () => {
    const cursor = afterPage(window, { lastId: '77', full: false, installedAtMs: INSTALLED });
    expect(cursor).toEqual({ fromMs: INSTALLED + 50 * MINUTE_MS });
  });
});

interface Created {
  readonly id: number;
  readonly atMs: number;
}

/** Runs the sweep until it has nothing to see, over records that are all in the index. */
function sweep(records: readonly Created[], { page, toMs }: { page: number; toMs: number }) {
  const seen = new Set<number>();
  let cursor: SweepCursor | undefined;
  for (let turn = 0; turn < 200; turn += 1) {
    const window = nextWindow(cursor, { installedAtMs: INSTALLED, toMs });
    if (!window) break;
    const found = records
      .filter(
        ({ id, atMs }) => atMs >= window.fromMs && atMs <= window.toMs && id > Number(window.afterId ?? 0),
      )
      .slice(0, page);
    for (const { id } of found) seen.add(id);
    const next = afterPage(window, {
      lastId: found.at(-1) && String(found.at(-1)?.id),
      full: found.length === page,
      installedAtMs: INSTALLED,
    });
    if (!next.window && next.fromMs === cursor?.fromMs) break;
    cursor = next;
  }
  return seen;
}

it('sees every record created since the installation, and none before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      (minutes, page) => {
        const records = minutes.map((minute, id) => ({ id: id + 1, atMs: INSTALLED + minute * MINUTE_MS }));
        const seen = sweep(records, { page, toMs: INSTALLED + 100 * MINUTE_MS });
        expect([...seen].sort()).toEqual(
          records
            .filter(({ atMs }) => atMs >= INSTALLED)
            .map(({ id }) => id)
            .sort(),
        );
      },
    ),
    { seed: 3 },
  );
});

/** Measures each minute. */
async function measured(lagMs: number, forMs: number): Promise<readonly number[]> {
  const world = await createWorld();
  world.storeTrouble.set({ faults: [], lagMs });
  const lags: number[] = [];
  for (let atMs = 0; atMs <= forMs; atMs += MINUTE_MS) {
    lags.push(await world.services.indexLagMs());
    await world.clock.sleep(MINUTE_MS);
  }
  return lags;
}

it('measures no lag where the index shows each marker at once', async () => {
  expect(new Set(await measured(0, HOUR_MS))).toEqual(new Set([0]));
});

it('measures a constant lag as constant, once it has lasted', async () => {
  const lags = await measured(HOUR_MS, 5 * HOUR_MS);
  const lasted = lags.slice(61);
  expect(Math.min(...lasted)).toBeGreaterThanOrEqual(HOUR_MS - 2 * MINUTE_MS);
  expect(Math.max(...lasted)).toBeLessThanOrEqual(HOUR_MS + 2 * MINUTE_MS);
});

it('measures a lag shorter than its rhythm as none', async () => {
  expect(Math.max(...(await measured(30 * SECOND_MS, HOUR_MS)))).toBe(0);
});
