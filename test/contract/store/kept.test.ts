import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLedgerStore, readLog } from '#shared/credit-ledger';
import { openItems } from '#shared/store';
import { verify } from '../../harness/ledger-logs.ts';
import { openMemoryStore, openTogether, putRaw } from '../../harness/memory-items.ts';
import { STORED_KINDS } from '../../tools/style/stored-kinds.ts';

const FOLDER = new URL('kept/', import.meta.url);
const VERSIONS = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

/** A claim to create a company lasts 2 days, a preview 10 minutes. */
const SHORT_LIVED = ['company-claim', 'preview'];

interface KeptItem {
  readonly kind: string;
  readonly key: string;
  readonly format: number;
  readonly body: Readonly<Record<string, unknown>>;
}

describe.each(VERSIONS)('items that version %s has stored', (version) => {
  const lines = readFileSync(new URL(version, FOLDER), 'utf8').trimEnd().split('\n');
  const items = lines.map((line): KeptItem => JSON.parse(line));
  const store = openMemoryStore();
  for (const { kind: prefix, ...item } of items) putRaw(store, { kind: kindOf(prefix), ...item });

  it.each(items)('$kind $key is read whole', async ({ kind: prefix, key, body }) => {
    const known = await openItems<unknown>({ store }, kindOf(prefix)).read(key as never);
    expect({ ...Object(known?.unknown), ...Object(known?.value) }).toEqual(body);
  });

  it('are of every kind that lasts longer than two days', () => {
    const kinds = new Set([...items.map(({ kind }) => kind), ...SHORT_LIVED]);
    expect(STORED_KINDS.flatMap(({ prefix }) => (kinds.has(prefix) ? [] : prefix))).toEqual([]);
  });

  it('have a ledger that is proved', async () => {
    const { entries, problems } = await verify(readLog(createLedgerStore(openTogether(store))));
    expect(entries).toBeGreaterThan(20);
    expect(problems).toEqual([]);
  });
});

function kindOf(prefix: string): Parameters<typeof openItems<unknown>>[1] {
  const kind = STORED_KINDS.find((each) => each.prefix === prefix);
  if (!kind) throw new Error(`No kind has the prefix ${prefix}.`);
  return kind as never;
}
