import { expect, it } from 'vitest';
import type { StoredStatus } from '#inside/records/schemas.ts';
import type { Lane } from '#shared/crm';
import { MINUTE_MS, seededRandom } from '#shared/kernel';
import {
  changeRecord,
  newRecordState,
  openWaiting,
  putBack,
  type RecordState,
  recordPlace,
} from '#shared/records';
import { admitWaiting, type SweepServices, type WorkMessage } from '#shared/work-queue';
import { createMemoryItems } from '../../../../harness/memory-items.ts';

const MINUTES = 200;
/** More wait from the beginning than get their turn. */
const OLD = 300;

/**
 * Imports that have waited, and each minute as many new ones as are served in it; whoever is let in and not served
 * waits again.
 * @returns of each hundred served, how many had waited from the beginning.
 */
async function oldOfHundred({ served, room }: { readonly served: number; readonly room: number }) {
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const sent: WorkMessage[] = [];
  const services = servicesOver(records, sent);
  for (let id = 0; id < OLD; id += 1) await waiting(services, `old-${id}`, id);
  let old = 0;
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    for (let each = 0; each < served; each += 1)
      await waiting(services, `new-${minute}-${each}`, OLD + minute);
    services.clock.pass(MINUTE_MS);
    const places = new Map<Lane, number>([['bulk', room]]);
    await admitWaiting(services, { room: places, bound: places });
    for (const [index, { id }] of sent.splice(0).entries()) {
      if (index < served && id.startsWith('old')) old += 1;
      await changeRecord(services, contact(id), (state) => ({
        state: index < served ? newRecordState('contacts', id) : putBack(state, minute),
      }));
    }
  }
  return (100 * old) / (served * MINUTES);
}

function contact(id: string) {
  return { objectType: 'contacts', id } as const;
}

function waiting(services: SweepServices, id: string, nowMs: number) {
  const opening = { runId: id, purpose: 'import', nowMs, untilMs: nowMs, reason: 'queued' } as const;
  return changeRecord(services, contact(id), (state) => ({ state: openWaiting(state, opening) }));
}

/** No limit but the room. */
function servicesOver(records: SweepServices['records'], sent: WorkMessage[]) {
  let nowMs = 0;
  const queue = {
    send: async (messages: readonly WorkMessage[]) => void sent.push(...messages),
    waiting: async () => 0,
  };
  return {
    records,
    cheapestCredits: 1,
    random: seededRandom(1),
    questions: { ledger: { now: async () => ({ left: () => 1_000 }) } },
    queues: { urgent: queue, live: queue, bulk: queue },
    crm: { pausedUntil: async () => undefined },
    status: createMemoryItems<StoredStatus>(),
    clock: {
      now: () => nowMs,
      sleep: async () => undefined,
      pass: (ms: number) => {
        nowMs += ms;
      },
    },
  } as unknown as SweepServices & { readonly clock: { pass(ms: number): void } };
}

it('one in ten whose turn it is has waited longest, although only the first of twenty is served', async () => {
  const old = await oldOfHundred({ served: 1, room: 20 });
  expect(old).toBeGreaterThan(7);
  expect(old).toBeLessThan(13);
});
