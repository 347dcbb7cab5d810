import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../shared/kernel/clock.ts';
import { createJournal } from '../../../../shared/records/journal.ts';
import { type JournalEntry, journalPlace } from '../../../../shared/records/journal-entry.ts';
import { journalEntrySchema } from '../../../../shared/records/schemas.ts';
import { createMemoryItems } from '../../../../shared/versioned-items/store.memory.ts';
import { entry, write } from '../../../builders/journal-entries.ts';

const RECORD = { objectType: 'contacts', id: '7' } as const;

function journalOf() {
  return createJournal({ items: createMemoryItems<JournalEntry>({ indexPosition: journalPlace }) });
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

  it('that was refused says so, and what the run writes instead stands beside it', async () => {
    const journal = journalOf();
    await journal.plan(entry(1, { changes: [planned('email', 'x'), planned('city', 'Ulm')] }));
    await journal.confirm(RECORD, 1, 'refused');
    await journal.plan(entry(1, { changes: [planned('city', 'Ulm')] }));
    await journal.confirm(RECORD, 1, { stored: { city: 'Ulm' } });
    const states = (await journal.read(RECORD, 1))?.changes.map(({ property, state }) => [property, state]);
    expect(states).toEqual([
      ['email', 'refused'],
      ['city', 'written'],
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
});

describe('the journal', () => {
  it('lists a record’s runs, and leaves out those that wrote nothing', async () => {
    const journal = journalOf();
    for (const run of [1, 3, 30]) await journal.plan(entry(run, { changes: [planned('city', 'Ulm')] }));
    expect((await journal.ofRecord(RECORD, 40)).map(({ run }) => run)).toEqual([1, 3, 30]);
    expect((await journal.ofRecord(RECORD, 3)).map(({ run }) => run)).toEqual([1, 3]);
  });

  it('lists a window of time across days, both ends included', async () => {
    const journal = journalOf();
    for (const run of [1, 2, 3, 4]) await journal.plan(entry(run, { changes: [planned('city', 'Ulm')] }));
    const window = { fromMs: entry(2).atMs, toMs: entry(3).atMs };
    expect((await journal.between(window)).map(({ run }) => run)).toEqual([2, 3]);
    expect(await journal.between({ fromMs: entry(4).atMs + 1, toMs: entry(4).atMs + 9 * DAY_MS })).toEqual(
      [],
    );
  });

  it('is stored in a form that is read back whole', () => {
    const whole = entry(1, {
      question: { key: 'k', operation: 'reverseEmail', askedAtMs: 1 },
      changes: [write('city', [null, 'Ulm'])],
    });
    expect(journalEntrySchema.parse(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
  });
});

describe('a purge', () => {
  it('leaves no value, and no worker that comes late brings one back', async () => {
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
});
