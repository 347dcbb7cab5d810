import type { Purpose } from '#shared/crm';
import { MINUTE_MS } from '#shared/kernel';
import { openGateway, profile } from '../../unit/shared/questions/asking.ts';
import { type Row, table } from './table.ts';

const CROWDS = [1, 8, 50, 200];
const QUESTIONS = 200;
const STORE_MS = 8;

/**
 * Measures the store requests of a question when many workers wait for the vendor's rate, each with its own question.
 */
export async function measureAskingCrowd(): Promise<string> {
  const rows: Row[] = [];
  for (const purpose of ['live', 'backfill'] as const)
    for (const workers of CROWDS) rows.push(await crowd(workers, purpose));
  const stores = ['question', 'entry+head', 'rate-limiter', 'link', 'breakers'];
  const header = [
    'workers',
    'lane',
    'writes a question',
    ...stores,
    'reads a question',
    'questions a minute',
  ];
  return table(header, rows);
}

async function crowd(workers: number, purpose: Purpose): Promise<Row> {
  const { worker, ops, calls, clock } = openGateway({ storeMs: STORE_MS, budgets: { perDay: 100_000 } });
  const startMs = clock.now();
  const count = Math.max(QUESTIONS, 2 * workers);
  const waiting = Array.from({ length: count }, (_, nth) => profile([], nth)).values();
  const work = async (name: string) => {
    const { ask } = worker(name);
    for (const question of waiting)
      for (;;) {
        const result = await ask(question, { purpose, notAfterMs: clock.now() + 60 * MINUTE_MS });
        if (result.kind !== 'waiting') break;
        await clock.sleep(result.untilMs - clock.now());
      }
  };
  await Promise.all(Array.from({ length: workers }, (_, nth) => work(`worker-${nth}`)));
  const minutes = (clock.now() - startMs) / MINUTE_MS;
  const each = (names: readonly string[], of?: string) =>
    (names.filter((name) => of === undefined || name === of).length / calls.length).toFixed(1);
  const byStore = ['question', 'entry+head', 'rate-limiter', 'link', 'breakers'].map((store) =>
    each(ops.writes, store),
  );
  return [
    workers,
    purpose,
    each(ops.writes),
    ...byStore,
    each(ops.reads),
    (calls.length / minutes).toFixed(1),
  ];
}
