import { randomUUID } from 'node:crypto';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import { createLedgerStore, type LedgerStore } from '#shared/credit-ledger';
import { type Clock, type Random, seededRandom } from '#shared/kernel';
import { createDigest, systemClock } from '#shared/kernel/adapters';
import { createManualClock } from '../../harness/manual-clock.ts';
import { createMemoryLedgerStore } from '../../harness/memory-items.ts';
import { startCountedDynamo } from './counted-dynamo.ts';
import { START_MS } from './rate-share.ts';
import { type Row, table } from './table.ts';

const WRITERS = [1, 8, 32];
/** Total of all writers: half of them reservations, half of them posted charges. */
const APPENDS = 640;
const digest = createDigest('an installation secret of a measure');

/** Measures ledger appends a second: in virtual time with DynamoDB 2 to 8 ms away, and with an engine on this machine. */
export async function measureLedgerAppends(): Promise<string> {
  const virtual: Appending[] = [];
  for (const writers of WRITERS) virtual.push(await appendVirtually(writers));
  const dynamo = await startCountedDynamo();
  const local: Appending[] = [];
  try {
    const store = createLedgerStore(dynamo.store);
    for (const writers of WRITERS)
      local.push(await appendAll({ store, writers, clock: systemClock, random: seededRandom(3) }));
  } finally {
    await dynamo.close();
  }
  const rows = WRITERS.flatMap((writers, index): Row[] => {
    const [ours, theirs] = [virtual[index], local[index]];
    return ours && theirs ? [[writers, ours.aSecond, ours.lost, theirs.aSecond, theirs.lost]] : [];
  });
  const header = ['writers', 'a second, virtual', 'lost races each', 'a second, engine', 'lost races each'];
  return table(header, rows);
}

function appendVirtually(writers: number) {
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const random = seededRandom(3);
  return appendAll({ store: faraway(createMemoryLedgerStore(), { clock, random }), writers, clock, random });
}

interface Writing {
  readonly store: LedgerStore;
  readonly writers: number;
  readonly clock: Clock;
  readonly random: Random;
}

type Appending = Awaited<ReturnType<typeof appendAll>>;

async function appendAll({ store, writers, clock, random }: Writing) {
  let lost = 0;
  const counted: LedgerStore = {
    ...store,
    append: async (entry) => {
      const appended = await store.append(entry);
      if (appended.kind === 'taken') lost += 1;
      return appended;
    },
  };
  const services = {
    account: randomUUID(),
    clock,
    random,
    digest,
    budgets: { perDay: 1_000_000 },
    timeZone: 'UTC',
  };
  const startedAt = clock.monotonic();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const ledger = createLedger({ ...services, store: counted });
      for (let turn = 0; turn < APPENDS / writers / 2; turn += 1) {
        const reservationId = `${digest.keyed(`${writer}`)}:${turn}`;
        const [operation, purpose, amountCredits] = ['companyProfile', 'live', 1] as const;
        const made = {
          reservationId,
          questionKey: digest.keyed(`${writer}`),
          operation,
          purpose,
          amountCredits,
        };
        await ledger.apply({ kind: 'reserve', ...made });
        await ledger.apply({ kind: 'post', reservationId, amountCredits, reason: 'match' });
      }
    }),
  );
  const tookMs = clock.monotonic() - startedAt;
  return { aSecond: Math.round((APPENDS * 1_000) / tookMs), lost: (lost / APPENDS).toFixed(1) };
}

/** Latency of DynamoDB. */
function faraway(store: LedgerStore, { clock, random }: { clock: Clock; random: Random }): LedgerStore {
  const travel = () => clock.sleep(2 + random() * 6);
  return {
    newest: async (account) => {
      await travel();
      return store.newest(account);
    },
    append: async (entry) => {
      await travel();
      return store.append(entry);
    },
    entries: store.entries,
  };
}
