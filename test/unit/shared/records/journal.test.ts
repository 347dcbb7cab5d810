import { describe, expect, it } from 'vitest';
import { createJournal, type JournalItems } from '#inside/records/journal.ts';
import { journalEntrySchema } from '#inside/records/schemas.ts';
import { journalKind } from '#inside/records/stored-kinds.ts';
import { type Change, isUndo, type JournalEntry, leaves } from '#shared/records';
import { entry, write } from '../../../harness/journal-entries.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

const clock = createManualClock({ startMs: 0, autoAdvance: true });
const RECORD = { objectType: 'contacts', id: '7' } as const;

function journalOf() {
  return createJournal({
    items: createMemoryItems<JournalEntry>({ indexPosition: journalKind.place }),
    clock,
  });
}

function planned(property: string, after: string, before: string | null = null) {
  return { property, before, after, state: 'planned' as const };
}

describe('a planned write', () => {
  it('is confirmed as HubSpot returned it', async () => {
    const journal = journalOf();
    await journal.plan(entry(1, { changes: [planned('phone', '+49 30 1'), planned('city', 'Ulm')] }));
    await journal.confirm(RECORD, 1, { stored: { phone: '+49301', city: 'Ulm', other: 'x' } });
    expect((await journal.read(RECORD, 1))?.changes).toEqual([
      write('phone', [null, '+49301']),
      write('city', [null, 'Ulm']),
    ]);
  });

  it('of a run that goes on keeps what was there before its first write', async () => {
    const journal = journalOf();
    await journal.plan(entry(1, { changes: [planned('city', 'Ulm', 'Bonn')] }));
    await journal.confirm(RECORD, 1, { stored: { city: 'Ulm' } });
    await journal.plan(entry(1, { changes: [planned('city', 'Köln', 'Ulm')], atMs: 5 }));
    expect(await journal.read(RECORD, 1)).toMatchObject({
      atMs: entry(1).atMs,
      changes: [{ before: 'Bonn', after: 'Köln', state: 'planned' }],
    });
  });

  it('that is not planned again stays, and nobody says of it what became of the others', async () => {
    const journal = journalOf();
    await journal.plan(entry(1, { changes: [planned('city', 'Ulm', 'Bonn'), planned('zip', '1')] }));
    await journal.plan(entry(1, { changes: [planned('phone', '2'), planned('fax', '3')] }));
    await journal.confirm(RECORD, 1, { stored: { phone: '2' } });
    await journal.confirm(RECORD, 1, { refused: ['fax'] });
    expect((await journal.read(RECORD, 1))?.changes).toEqual([
      { ...planned('city', 'Ulm', 'Bonn'), sentAtMs: entry(1).sentAtMs },
      { ...planned('zip', '1'), sentAtMs: entry(1).sentAtMs },
      write('phone', [null, '2']),
      { ...planned('fax', '3'), state: 'refused' },
    ]);
  });

  it('of an undo stays one in the entry of the run that went on to enrich', async () => {
    const journal = journalOf();
    await journal.plan(entry(1, { kind: 'undo', changes: [planned('city', '', 'Ulm')] }));
    await journal.plan(entry(1, { changes: [planned('phone', '2')] }));
    const stored = await journal.read(RECORD, 1);
    expect(stored?.changes.map((change) => isUndo(stored, change))).toEqual([true, false]);
  });
});

describe('values that are too long', () => {
  const long = (letter: string) => letter.repeat(65_536);

  it('lose their ends, and say so, until the entry can be stored', async () => {
    const journal = journalOf();
    const changes = ['about', 'notes', 'more'].map((name) => planned(name, long('ö'), long('x')));
    const dropped = [{ property: 'phone', reason: long('r') }];
    await journal.plan(entry(1, { changes: [...changes, planned('city', 'Ulm')], dropped }));
    await journal.confirm(RECORD, 1, { stored: { about: long('ü'), notes: 'short' } });
    const stored = await journal.read(RECORD, 1);
    expect(stored?.changes).toMatchObject([
      { property: 'about', state: 'written', cut: ['before', 'after'] },
      { property: 'notes', state: 'written', cut: ['before'], after: 'short' },
      { property: 'more', state: 'planned', cut: ['after', 'before'] },
      planned('city', 'Ulm'),
    ]);
    expect(Buffer.byteLength(JSON.stringify(stored))).toBeLessThan(390_000);
    expect(journalEntrySchema.parse(stored)).toEqual(stored);
  });

  it('lose their ends last where an undo needs them', async () => {
    const journal = journalOf();
    await journal.plan(entry(1, { changes: [planned('about', long('ö'), long('x'))] }));
    const [about] = (await journal.read(RECORD, 1))?.changes ?? [];
    expect(about).toMatchObject({ before: long('x'), cut: ['after'] });
  });

  it('are recognised by their beginning', () => {
    const cut: Change = { ...write('about', [null, 'Ein lan']), cut: ['after'] };
    expect([leaves(cut, 'Ein langer Text'), leaves(cut, 'Ein kurzer Text')]).toEqual([true, false]);
    expect(leaves(write('about', [null, 'Ein lan']), 'Ein langer Text')).toBe(false);
  });
});

it('the journal lists all of a late window of a day on which very much was written', async () => {
  const dawnMs = Date.UTC(2026, 10, 1);
  const many = 200_000;
  const day = Array.from({ length: many }, (_, n) =>
    entry(1, { id: String(n), atMs: dawnMs + n, changes: [write('city', [null, 'Ulm'])] }),
  );
  const list: JournalItems['list'] = async ({ from = 0, upTo = many }) =>
    day.slice(from - dawnMs, upTo - dawnMs + 1);
  const journal = createJournal({ items: { ...createMemoryItems<JournalEntry>(), list }, clock });
  const found = await journal.between({ fromMs: dawnMs + many - 2, toMs: dawnMs + many });
  expect(found.map(({ id }) => id)).toEqual(['199998', '199999']);
  expect(await journal.between({ fromMs: dawnMs, toMs: dawnMs + many })).toHaveLength(many);
});

it('a purge leaves no value, and no worker that comes late brings one back', async () => {
  const journal = journalOf();
  await journal.plan(entry(1, { changes: [planned('city', 'Ulm')] }));
  await journal.purge(RECORD, { runs: 2, nowMs: 9 });
  expect(await journal.ofRecord(RECORD, 2)).toEqual([]);
  for (const run of [1, 2])
    expect(await journal.plan(entry(run, { changes: [planned('city', 'Ulm')] }))).toBe('forgotten');
  await journal.confirm(RECORD, 1, { stored: { city: 'Ulm' } });
  expect(await journal.ofRecord(RECORD, 2)).toEqual([]);
  expect(await journal.between({ fromMs: 0, toMs: Date.UTC(2026, 11, 1) })).toEqual([]);
});
