/**
 * `node test/contract/store/kept/main.ts FILE`: prints items of every kind in a SQLite file, for `VERSION.json` in this
 * folder. Made once for each version that begins a format, from a folder of `npm start -- --month`.
 */
import { DatabaseSync } from 'node:sqlite';

/** Enough to have most optional fields. */
const OF_EACH_KIND = 4;
/** The ledger must be whole from its first entry, so that its hashes can be checked. */
const LEDGER_ENTRIES = 30;

const [file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true });
const items = database
  .prepare('SELECT key, format, body FROM items ORDER BY key')
  .all()
  .map((row) => {
    const [, kind = '', ...key] = String(row['key']).split('#');
    return { kind, key: key.join('#'), format: Number(row['format']), body: JSON.parse(String(row['body'])) };
  });
const fieldsOf = ({ body }: { readonly body: object }) => Object.keys(body).length;
const kept = [...Map.groupBy(items, ({ kind }) => kind)].flatMap(([kind, all]) =>
  kind === 'entry'
    ? all.filter(({ key }) => Number(key) <= LEDGER_ENTRIES)
    : all.toSorted((a, b) => fieldsOf(b) - fieldsOf(a)).slice(0, OF_EACH_KIND),
);
process.stdout.write(`${JSON.stringify(kept, null, 1)}\n`);
