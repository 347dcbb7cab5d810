/**
 * `node test/contract/store/kept/main.ts FILE`: prints items of every kind in a SQLite file, and requests of a card, for
 * `VERSION.jsonl` in this folder. Made once for each version that begins a format, from the `store.db` of `npm start --
 * --month`, after `probe`.
 */
import { DatabaseSync } from 'node:sqlite';
import { cardOf } from '../../../harness/at-the-screen.ts';
import { openMemoryStore } from '../../../harness/memory-items.ts';
import { enrichedContact } from '../../../harness/steps.ts';
import { createWorld } from '../../../harness/world.ts';

/** Enough to have most optional fields. */
const OF_EACH_KIND = 4;
/** The ledger must be whole from its first entry, so that its hashes can be checked. */
const LEDGER_ENTRIES = 30;

const [file = ''] = process.argv.slice(2);
const month = itemsIn(new DatabaseSync(file, { readOnly: true }));
const items = [...month, ...(await requests())];
const fieldsOf = ({ body }: { readonly body: object }) => Object.keys(body).length;
const kept = [...Map.groupBy(items, ({ kind }) => kind)].flatMap(([kind, all]) =>
  kind === 'entry'
    ? all.filter(({ key }) => Number(key) <= LEDGER_ENTRIES)
    : all.toSorted((a, b) => fieldsOf(b) - fieldsOf(a)).slice(0, OF_EACH_KIND),
);
for (const item of kept) process.stdout.write(`${JSON.stringify(item)}\n`);

function itemsIn(database: DatabaseSync) {
  const rows = database.prepare('SELECT key, format, body FROM items ORDER BY key').all();
  return rows.map((row) => {
    const [, kind = '', ...key] = String(row['key']).split('#');
    return { kind, key: key.join('#'), format: Number(row['format']), body: JSON.parse(String(row['body'])) };
  });
}

async function requests() {
  const store = openMemoryStore();
  const world = await createWorld({ store });
  const record = await enrichedContact(world);
  const run = { recordId: record.id, number: 1 };
  await cardOf(world, record).ask({ id: 'wrong-match-1', kind: 'wrong-match', run });
  return itemsIn(store.database).filter(({ kind }) => kind === 'request');
}
