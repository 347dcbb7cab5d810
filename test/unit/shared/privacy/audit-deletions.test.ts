import { describe, expect, it } from 'vitest';
import { type StoredStatus, statusSchema } from '#inside/records/schemas.ts';
import type { IdLookup } from '#shared/hubspot';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { auditDeletions, type DeletionAuditServices } from '#shared/privacy';
import { newRecordState, type RecordState, recordPlace } from '#shared/records';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { openShelf } from './shelf.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Many contacts; HubSpot has those that `isThere`. */
async function audited(count: number, isThere: (id: string) => boolean = () => true) {
  let nowMs = Date.UTC(2026, 10, 21);
  let [requests, pausedAfter] = [0, Number.POSITIVE_INFINITY];
  const seen = new Set<string>();
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  for (let id = 1; id <= count; id += 1) {
    const value = newRecordState('contacts', String(id));
    await records.write({ key: `contacts#${id}`, value, expectedVersion: undefined });
  }
  const status = createMemoryItems<StoredStatus>();
  const lookUp = async ({
    ids,
    archived,
  }: {
    ids: readonly string[];
    archived: boolean;
  }): Promise<IdLookup> => {
    requests += 1;
    for (const id of ids) seen.add(id);
    expect(ids.length).toBeLessThanOrEqual(100);
    const found = new Set(archived ? [] : ids.filter(isThere));
    return { found, notFound: new Set(ids.filter((id) => !found.has(id))) };
  };
  const services = {
    records,
    status,
    crm: {
      lookUp,
      portalId: async () => '7',
      pausedUntil: async () => (requests >= pausedAfter ? nowMs + DAY_MS : undefined),
    },
    portal: { known: async () => ({ portalId: '7', by: 'pin' as const }) },
    clock: { now: () => nowMs, sleep: async () => undefined },
    forgetting: openShelf().forgetting,
    logger: silent,
  } as unknown as DeletionAuditServices;
  return {
    seen,
    requests: () => requests,
    pauseAfter: (most: number) => {
      pausedAfter = requests + most;
    },
    sleep: (ms: number) => {
      nowMs += ms;
    },
    sweep: async () => {
      nowMs += MINUTE_MS;
      return auditDeletions(services);
    },
    kept: async () => statusSchema.parse((await status.read('deletions'))?.value).deletions,
  };
}

describe('the audit of deletions', () => {
  it('reads 495 contacts in ten minutes at most, in five requests, and each of them in a pass', async () => {
    const { sweep, requests, seen } = await audited(2_000);
    const counts = [];
    for (let minute = 0; minute < 60; minute += 1) counts.push((await sweep())?.audited ?? 0);
    const parts = [...counts.entries()].filter(([, count]) => count > 0);
    expect(parts).toEqual([
      [0, 495],
      [10, 495],
      [20, 495],
      [30, 495],
      [40, 20],
    ]);
    expect(seen.size).toBe(2_000);
    expect(requests()).toBeLessThanOrEqual(6 * 5);
  });

  it('asks HubSpot for no more than 21 requests in ten minutes, also where every second contact is gone', async () => {
    const { sweep, requests } = await audited(4_000, (id) => Number(id) % 2 === 0);
    for (let minute = 0; minute < 60; minute += 1) await sweep();
    expect(requests()).toBeLessThanOrEqual(6 * 21);
  });

  it('waits, and keeps its place, where HubSpot leaves no requests to bulk work', async () => {
    const { sweep, requests, pauseAfter, kept, seen } = await audited(600);
    pauseAfter(2);
    await sweep();
    expect(requests()).toBe(2);
    expect(await kept()).not.toHaveProperty('at');
    for (let minute = 0; minute < 60; minute += 1) await sweep();
    expect(requests()).toBe(2);
    pauseAfter(Number.POSITIVE_INFINITY);
    for (let minute = 0; minute < 60; minute += 1) await sweep();
    expect(seen.size).toBe(600);
  });

  it('begins a new pass seven days after the last', async () => {
    const { sweep, requests } = await audited(3);
    await sweep();
    const after = requests();
    for (let minute = 0; minute < (6 * DAY_MS) / MINUTE_MS; minute += 1) await sweep();
    expect(requests()).toBe(after);
    for (let minute = 0; minute <= DAY_MS / MINUTE_MS; minute += 1) await sweep();
    expect(requests()).toBe(2 * after);
  });

  it('confirms the other suspects by a contact that is back, where the contact that it knew is gone too', async () => {
    let living = ['31'];
    const { sweep, sleep } = await audited(31, (id) => living.includes(id));
    expect(await sweep()).toMatchObject({ audited: 31, gone: 30, forgotten: 0 });
    sleep(DAY_MS);
    living = ['1'];
    const counts = [];
    for (let minute = 0; minute < 30; minute += 1) counts.push((await sweep())?.forgotten ?? 0);
    expect(counts.filter((count) => count > 0)).toEqual([19, 10]);
  });
});
