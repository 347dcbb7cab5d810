import { describe, expect, it } from 'vitest';
import { forgetRecord } from '#inside/privacy/forget-record.ts';
import { disclosureKind } from '#inside/questions/stored-kinds.ts';
import { changeRecord, newRecordState, recordKind } from '#shared/records';
import { FORMAT, openItems, TABLE_DEFINITIONS, TABLE_NAMES, type VersionedItems } from '#shared/store';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { openMemoryStore, putRaw, rawItem } from '../../../harness/memory-items.ts';
import { STORED_KINDS } from '../../../tools/style/stored-kinds.ts';

const RECORD = { objectType: 'contacts', id: '1' } as const;
const KEY = 'contacts#1';

function open() {
  const store = openMemoryStore();
  const clock = createManualClock({ startMs: 1_000, autoAdvance: true });
  const records = openItems({ store }, recordKind);
  const stored = () => rawItem(store, recordKind, KEY);
  const putRecord = (body: object, format = FORMAT) =>
    putRaw(store, { kind: recordKind, key: KEY, format, body });
  /** Puts an item as a later version of this code would. */
  const putLater = (format: number) =>
    putRecord({ ...newRecordState('contacts', '1'), unheardOf: 7 }, format);
  return { clock, records, stored, putRecord, putLater };
}

describe('an item of a later version', () => {
  it('keeps its unknown fields when this version changes it', async () => {
    const { clock, records, stored, putLater } = open();
    putLater(FORMAT);
    await changeRecord({ records, clock }, RECORD, (state) => ({ state: { ...state, runsOpened: 1 } }));
    expect(stored()).toMatchObject({ body: { runsOpened: 1, unheardOf: 7 } });
  });

  it('loses its unknown fields when its person is forgotten', async () => {
    const { clock, records, stored, putLater } = open();
    putLater(FORMAT);
    const nothing = { purge: async () => undefined };
    await forgetRecord({ records, journal: nothing, reviews: nothing, clock }, 'contacts#1');
    expect(stored()).toMatchObject({ body: { forgottenAtMs: expect.any(Number) } });
    expect(stored()?.body).not.toHaveProperty('unheardOf');
  });

  it.each([FORMAT + 1, FORMAT - 1])('is refused with format %s, and stays as it was', async (format) => {
    const { clock, records, stored, putLater } = open();
    putLater(format);
    const before = stored();
    const changed = changeRecord({ records, clock }, RECORD, (state) => ({ state }));
    await expect(changed).rejects.toMatchObject({ code: 'ITEM_FORMAT_UNKNOWN' });
    expect(stored()).toEqual(before);
  });
});

it('a damaged item is refused, and stays as it was', async () => {
  const { clock, records, stored, putRecord } = open();
  putRecord({ ...newRecordState('contacts', '1'), runsOpened: 'one' });
  const before = stored();
  const changed = changeRecord({ records, clock }, RECORD, (state) => ({ state }));
  await expect(changed).rejects.toMatchObject({ name: 'ZodError' });
  expect(stored()).toEqual(before);
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
    const due = `shared/store/transactions.ts must say of ${table} what its stored kinds need`;
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
