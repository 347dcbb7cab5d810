import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { forgetRecord } from '#inside/privacy/forget-record.ts';
import { disclosureKind } from '#inside/questions/stored-kinds.ts';
import { seededRandom } from '#shared/kernel';
import { changeRecord, newRecordState, recordKind } from '#shared/records';
import { FORMAT, TABLE_DEFINITIONS, TABLE_NAMES, type VersionedItems } from '#shared/versioned-items';
import { openItems } from '#shared/versioned-items/adapters';
import { createMemoryDynamo } from '../../../../infra/local/virtual/memory-dynamo.ts';
import { createManualClock } from '../../../builders/manual-clock.ts';
import { STORED_KINDS } from '../../../style/stored-kinds.ts';

const RECORD = { objectType: 'contacts', id: '1' } as const;
const PK = 'default#contacts#1';

function open() {
  const { client } = createMemoryDynamo(seededRandom(1));
  const clock = createManualClock({ startMs: 1_000, autoAdvance: true });
  let made = 0;
  const records = openItems(
    {
      dynamo: client,
      tables: { records: 'records' },
      account: 'default',
      policy: { journalDays: 30, privacy: { keepDisclosures: 1095 } },
      newId: () => `id-${++made}`,
      clock,
    },
    recordKind,
  );
  const stored = async () =>
    (await client.send(new GetCommand({ TableName: 'records', Key: { pk: PK }, ConsistentRead: true }))).Item;
  /** Puts an item as a later version of this code would. */
  const putLater = (format: number) =>
    client.send(
      new PutCommand({
        TableName: 'records',
        Item: {
          pk: PK,
          version: 1,
          writeId: 'w',
          format,
          body: { ...newRecordState('contacts', '1'), unheardOf: 7 },
        },
      }),
    );
  return { client, clock, records, stored, putLater };
}

describe('an item of a later version', () => {
  it('keeps its unknown fields when this version changes it', async () => {
    const { clock, records, stored, putLater } = open();
    await putLater(FORMAT);
    await changeRecord({ records, clock }, RECORD, (state) => ({ state: { ...state, runsOpened: 1 } }));
    expect(await stored()).toMatchObject({ version: 2, body: { runsOpened: 1, unheardOf: 7 } });
  });

  it('loses its unknown fields when its person is forgotten', async () => {
    const { clock, records, stored, putLater } = open();
    await putLater(FORMAT);
    const nothing = { purge: async () => undefined };
    await forgetRecord({ records, journal: nothing, reviews: nothing, clock }, 'contacts#1');
    expect(await stored()).toMatchObject({ body: { forgottenAtMs: expect.any(Number) } });
    expect((await stored())?.['body']).not.toHaveProperty('unheardOf');
  });

  it.each([FORMAT + 1, FORMAT - 1])('is refused with format %s, and stays as it was', async (format) => {
    const { clock, records, stored, putLater } = open();
    await putLater(format);
    const before = await stored();
    const changed = changeRecord({ records, clock }, RECORD, (state) => ({ state }));
    await expect(changed).rejects.toMatchObject({ code: 'ITEM_FORMAT_UNKNOWN' });
    expect(await stored()).toEqual(before);
  });
});

describe('the table of stored kinds', () => {
  it('has a row for each kind, and each name once', () => {
    const names = STORED_KINDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const tables = new Set(STORED_KINDS.map(({ table }) => table));
    expect([...tables].sort()).toEqual([...TABLE_NAMES].sort());
  });

  it.each(TABLE_NAMES)('gives the table %s its index, its time to live and its backups', (table) => {
    const rows = STORED_KINDS.filter((row) => row.table === table);
    const expires = rows.some(({ expiry }) => expiry.at !== undefined);
    const due = `shared/versioned-items/table.ts must say of ${table} what its stored kinds need`;
    const isIndexed = rows.some((row) => row.isIndexed);
    expect(TABLE_DEFINITIONS[table].isIndexed === true, `${due}: isIndexed`).toBe(isIndexed);
    expect(TABLE_DEFINITIONS[table].expires === true, `${due}: expires`).toBe(expires);
    // A backup would outlive a forgetting, unless nothing is removed. A disclosure record has no value of a person: for 35
    // days a copy says more than the proof, and to lose the proof would be worse.
    const purged = rows.filter(
      ({ name, holdsPeople }) =>
        holdsPeople !== false && !holdsPeople.startsWith('nothing') && name !== disclosureKind.name,
    );
    if (TABLE_DEFINITIONS[table].isRecoverable) expect(purged).toEqual([]);
  });

  it('gives keys and partitions to the stores, which take no other', () => {
    // The type check fails if one of these lines stops being an error.
    const misuse = async (items: VersionedItems<unknown>) => {
      // @ts-expect-error A key is made by its kind.
      await items.read('contacts#1');
      // @ts-expect-error A key is made by its kind.
      await items.write({ key: `contacts#${1}`, value: {}, expectedVersion: undefined });
      // @ts-expect-error A partition is one of the kind's own.
      recordKind.partition('nowhere');
    };
    expect(misuse).toBeInstanceOf(Function);
  });
});
