import { describe, expect, it } from 'vitest';
import { undoTargets } from '#inside/take-back/undo.ts';
import type { JournalEntry } from '#shared/records';
import { entry, write } from '../../../harness/journal-entries.ts';

const FIRST = entry(1, { changes: [write('city', [null, 'Ulm']), write('phone', [null, '1'])] });
const SECOND = entry(2, { changes: [write('city', ['Ulm', 'Bonn'])] });

function targets(entries: readonly JournalEntry[], runs: readonly number[], property?: string) {
  const isChosen = ({ run }: JournalEntry) => runs.includes(run);
  return Object.fromEntries(undoTargets(entries, { isChosen, property }));
}

describe('what an undo brings back', () => {
  it('is what was there before the first of several writes in a row', () => {
    expect(targets([FIRST, SECOND], [1, 2])).toMatchObject({
      city: { kind: 'restore', to: null },
      phone: { kind: 'restore', to: null },
    });
  });

  it('is nothing where a later run, which is to stay, wrote again', () => {
    expect(targets([FIRST, SECOND], [1], 'city')).toMatchObject({
      city: { kind: 'written-later', by: SECOND },
    });
  });

  it('is never a status of ours, a refused write, or an undo', () => {
    const status = entry(1, { changes: [write('enrichment_status', [null, 'enriched'])] });
    const refused = entry(2, { changes: [{ ...write('email', [null, 'x']), state: 'refused' }] });
    const undone = entry(3, { kind: 'undo', changes: [write('city', ['Ulm', ''])] });
    expect(targets([status, refused, undone], [1, 2, 3])).toMatchObject({});
  });

  it('is nothing where what was there before did not fit into the journal', () => {
    const cut = entry(1, { changes: [{ ...write('about', ['Ein lan', 'Neu']), cut: ['before'] }] });
    expect(targets([cut], [1])).toMatchObject({ about: { kind: 'too-long' } });
  });

  it('is nothing where an undo was cut off and its run went on to enrich', () => {
    const both = entry(2, {
      changes: [{ ...write('city', ['Ulm', '']), undone: true }, write('zip', [null, '1'])],
    });
    expect(targets([FIRST, both], [1, 2])).toMatchObject({ zip: { kind: 'restore', to: null } });
    expect(targets([FIRST, both], [1, 2])).not.toHaveProperty('city');
  });
});

describe('what an undo brings back to a record that another was merged into', () => {
  const other = entry(1, { id: '12', atMs: FIRST.atMs + 1, changes: [write('city', ['Trier', 'Jena'])] });
  const later = entry(2, { changes: [write('city', ['Ulm', 'Bonn'])] });
  const all = { isChosen: () => true };

  it('is what was there before the write that its value comes from', () => {
    const entries = [FIRST, other];
    const [ours, theirs] = ['Ulm', 'Jena'].map((city) =>
      undoTargets(entries, { ...all, property: 'city', current: { city } }).get('city'),
    );
    expect([ours, theirs]).toMatchObject([
      { kind: 'restore', to: null },
      { kind: 'restore', to: 'Trier' },
    ]);
  });

  it('is what was there before the first of its writes, the other record’s left out', () => {
    const found = undoTargets([FIRST, other, later], { ...all, property: 'city', current: { city: 'Bonn' } });
    expect(found.get('city')).toMatchObject({ kind: 'restore', to: null });
  });

  it('is nothing of a write whose value did not come through the merge', () => {
    const isChosen = ({ id }: JournalEntry) => id === '12';
    expect(undoTargets([FIRST, other], { isChosen, current: { city: 'Ulm' } }).size).toBe(0);
  });
});
