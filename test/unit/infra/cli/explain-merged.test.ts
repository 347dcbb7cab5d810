import { afterAll, describe, expect, it } from 'vitest';
import { createJournal } from '#inside/records/journal.ts';
import { journalEntrySchema } from '#inside/records/schemas.ts';
import { journalKind } from '#inside/records/stored-kinds.ts';
import { newRecordState, type RecordState, recordKind, recordStateSchema } from '#shared/records';
import { entry, write } from '../../../harness/journal-entries.ts';
import { plainItems } from '../../../harness/memory-items.ts';
import { startStandIns } from './console.ts';

const standIns = await startStandIns();
const loser = '77700';

/** A company that another was merged into; both had a city from us, and the loser's came through. */
const body = { objectType: 'companies', properties: { name: 'Merged', city: 'Bonn' } };
const winner = String((await standIns.hubSpot('POST', '/_sandbox/create', body))['id']);
const records = plainItems<RecordState>(standIns.store, {
  kind: recordKind,
  parse: (value) => recordStateSchema.parse(value),
});
const save = async (id: string, more: Partial<RecordState>) => {
  const value = { ...newRecordState('companies', id), runsOpened: 1, ...more };
  await records.write({ key: recordKind.key(value), value, expectedVersion: undefined });
};
await save(winner, { mergedFrom: [loser] });
await save(loser, { mergedInto: winner });
const parse = (value: unknown) => journalEntrySchema.parse(value);
const journal = createJournal({
  items: plainItems(standIns.store, { kind: journalKind, parse, indexPosition: journalKind.place }),
  clock: standIns.clock,
});
for (const [id, city] of [
  [winner, 'Ulm'],
  [loser, 'Bonn'],
] as const)
  await journal.plan(entry(1, { objectType: 'companies', id, changes: [write('city', [null, city])] }));
afterAll(() => standIns.stop());

const run = (...words: string[]) => standIns.run(words);

describe('a company that another was merged into', () => {
  it('is explained by either name, with the runs of both told apart', async () => {
    const told = (await run('explain', `companies/${loser}`, '--json')).json();
    expect(told).toMatchObject({
      record: `companies/${winner}`,
      askedFor: `companies/${loser}`,
      mergedFrom: [loser],
      runs: [
        { id: winner, run: 1, purpose: 'live' },
        { id: loser, run: 1, purpose: 'live' },
      ],
    });
  });
});
