import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { type EmbeddedAws, startEmbeddedAws } from '../../../../infra/local/embedded-aws.ts';
import { repairIndex } from '../../../../infra/local/repair-index.ts';
import { TABLES } from '../../../../infra/local/tables.ts';
import { createPlainItems } from '../../../builders/plain-items.ts';

interface Stored {
  iterator(): AsyncIterable<[string, unknown]>;
  clear(): Promise<void>;
  batch(operations: readonly { type: 'put'; key: string; value: unknown }[]): Promise<void>;
  close(): Promise<void>;
}

/** The store below the embedded DynamoDB, which has no other door to what a kill leaves behind. */
const { Level } = createRequire(createRequire(import.meta.url).resolve('dynalite'))('level') as {
  Level: new (path: string, options: { valueEncoding: 'json' }) => Stored;
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'index-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Value {
  readonly place: string;
  readonly text: string;
}

function itemsOf({ dynamo: client }: EmbeddedAws) {
  let writes = 0;
  return createPlainItems<Value>({
    client,
    tableName: TABLES.records,
    newId: () => `write ${++writes} of ${folder} ${performance.now()}`,
    parse: (stored) => stored as Value,
    indexPosition: ({ place }) => ({ partition: place, order: 1 }),
  });
}

async function withStore<R>(use: (aws: EmbeddedAws) => Promise<R>): Promise<R> {
  const aws = await startEmbeddedAws({ folder, clock: systemClock });
  try {
    return await use(aws);
  } finally {
    await aws.close();
  }
}

type Rows = ReadonlyMap<string, unknown>;

async function withRows<R>(use: (rows: Stored) => Promise<R>): Promise<R> {
  const rows = new Level(folder, { valueEncoding: 'json' });
  try {
    return await use(rows);
  } finally {
    await rows.close();
  }
}

const readRows = () => withRows(async (rows) => new Map(await Array.fromAsync(rows.iterator())));

/** Everything as it is now, with the items from one moment and the index from another. */
async function putTogether({ items, index }: { items: Rows; index: Rows }): Promise<void> {
  const isItem = (key: string) => key.startsWith(`item-${TABLES.records}~`);
  const isIndex = (key: string) => key.startsWith(`index-global~${TABLES.records}~`);
  const others = [...(await readRows())].filter(([key]) => !isItem(key) && !isIndex(key));
  const rows = [
    ...others,
    ...[...items].filter(([key]) => isItem(key)),
    ...[...index].filter(([key]) => isIndex(key)),
  ];
  await withRows(async (stored) => {
    await stored.clear();
    await stored.batch(rows.map(([key, value]) => ({ type: 'put', key, value })));
  });
}

const FIRST = { place: 'here', text: 'first' };

/** The rows before an item is written, after that, and after it was changed. */
async function history(changed: Value) {
  await withStore(async () => undefined);
  const nothing = await readRows();
  await withStore((aws) => itemsOf(aws).write({ key: 'key', value: FIRST, expectedVersion: 0 }));
  const first = await readRows();
  await withStore((aws) => itemsOf(aws).write({ key: 'key', value: changed, expectedVersion: 1 }));
  return { nothing, first, changed: await readRows() };
}

async function mended() {
  return withStore(async (aws) => {
    await repairIndex(aws.dynamo, TABLES.records);
    const items = itemsOf(aws);
    const item = (await items.read('key'))?.value;
    return {
      item,
      here: await items.list({ partition: 'here' }),
      there: await items.list({ partition: 'there' }),
    };
  });
}

describe('an index that a killed process has left', () => {
  const moved = { place: 'there', text: 'second' };

  it('without an item has it again', async () => {
    const { first, nothing } = await history(moved);
    await putTogether({ items: first, index: nothing });
    expect(await mended()).toEqual({ item: FIRST, here: [FIRST], there: [] });
  });

  it('with an item at the place where it never came has it at its own', async () => {
    const { first, changed } = await history(moved);
    await putTogether({ items: first, index: changed });
    expect(await mended()).toEqual({ item: FIRST, here: [FIRST], there: [] });
  });

  it('with an item that was never written has it no more', async () => {
    const { nothing, changed } = await history(moved);
    await putTogether({ items: nothing, index: changed });
    expect(await mended()).toEqual({ item: undefined, here: [], there: [] });
  });

  it('with what the item was going to say says what the item says', async () => {
    const { first, changed } = await history({ place: 'here', text: 'second' });
    await putTogether({ items: first, index: changed });
    expect(await mended()).toEqual({ item: FIRST, here: [FIRST], there: [] });
  });

  it('whole stays as it is', async () => {
    await history(moved);
    const before = await readRows();
    expect(await mended()).toEqual({ item: moved, here: [], there: [moved] });
    expect(await readRows()).toEqual(before);
  });
});
