import { describe, expect, it } from 'vitest';
import type { WriteDraft } from '#inside/enrichment/write-back/draft.ts';
import { recoverWrites } from '#inside/enrichment/write-back/recover.ts';
import { createJournal } from '#inside/records/journal.ts';
import { journalKind } from '#inside/records/stored-kinds.ts';
import type { CrmVersion } from '#shared/crm';
import { admissionOf, parsePolicy } from '#shared/field-policy';
import { createDigest } from '#shared/kernel/adapters';
import { because, type Change, type JournalEntry, newRecordState, type Run } from '#shared/records';
import { entry } from '../../../../harness/journal-entries.ts';
import { createManualClock } from '../../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../../harness/memory-items.ts';
import { definitionOf, definitionsOf } from '../../field-policy/definitions.ts';

const PROPERTIES = { city: 'Ulm', zip: '1', enrichment_status: 'unmatched' };
const RECORD = { objectType: 'contacts', id: '7' } as const;
const OURS = { sourceType: 'INTEGRATION', sourceId: '7001' };
const RUN: Run = { id: 'r', purpose: 'live', openedAtMs: 0, credits: 0, lapses: 1 };

function draftOf(id: string): WriteDraft {
  const state = { ...newRecordState('contacts', id), runsOpened: 1, run: RUN };
  const record = { ...RECORD, id, properties: PROPERTIES, createdAtMs: 0 };
  const definitions = definitionsOf();
  const admission = admissionOf(parsePolicy({ budgets: { perDay: 1 } }), record, { nowMs: 0 });
  const read = { record, definitions, admission, readAtMs: 0, requested: false };
  const held = { ...RECORD, id, state, run: RUN, ...read };
  const runOutcome = {
    kind: 'outcome',
    outcome: 'unmatched',
    reason: because('gone'),
    credits: 0,
    learned: {},
  } as const;
  const answered = { kind: 'ended', held, runOutcome, writesStatus: true } as const;
  return {
    held,
    answered,
    outcome: 'unmatched',
    reason: because('gone'),
    status: 'unmatched',
    proposals: [],
    dropped: [],
  };
}

function planned(property: string, after: string): Change {
  return { property, before: null, after, state: 'planned' };
}

/** What is recovered of contacts that all hold the same, by their entries. */
async function recover(
  entries: readonly JournalEntry[],
  { broken = '', city }: { broken?: string; city?: readonly CrmVersion[] } = {},
) {
  const journal = createJournal({
    items: createMemoryItems<JournalEntry>({ indexPosition: journalKind.place }),
    clock: createManualClock({ startMs: 0 }),
  });
  for (const each of entries) await journal.plan(each);
  const read: typeof journal.read = async (record, number) => {
    if (record.id === broken) throw new Error('unreadable');
    return journal.read(record, number);
  };
  const drafts = entries.map(({ id }) => draftOf(id));
  const definitions = definitionsOf(...Object.keys(PROPERTIES).map((name) => definitionOf(name)));
  const versions = Object.fromEntries(
    Object.entries(PROPERTIES).map(([property, value]) => [property, [{ value, ...OURS }]]),
  );
  const history = async ({ records }: { records: readonly { readonly id: string }[] }) =>
    new Map(records.map(({ id }) => [id, { ...versions, ...(city && { city }) }]));
  const services = {
    ...{
      journal: { ...journal, read },
      digest: createDigest('an installation secret of a test'),
      crm: { history },
    },
    ownAppId: undefined,
  };
  const { recovered, failures } = await recoverWrites(services, {
    objectType: 'contacts',
    drafts,
    definitions,
  });
  const states = (await journal.read(RECORD, 1))?.changes.map(({ state }) => state);
  return { recovered, failures, states };
}

describe('a run that lost its worker', () => {
  it('notes as written what is there, and knows it for ours', async () => {
    const { recovered, states } = await recover([
      entry(1, { changes: [planned('city', 'Ulm'), planned('zip', '2')] }),
    ]);
    expect(states).toEqual(['written', 'planned']);
    expect(recovered.get('7')?.isWritten).toBe(true);
    expect(Object.keys(recovered.get('7')?.written ?? {})).toEqual(['city']);
  });

  it('leaves to somebody else what they wrote after it, blank or not', async () => {
    const city = [
      { value: 'Ulm', sourceType: 'CRM_UI' },
      { value: 'Bonn', ...OURS },
    ];
    const { recovered } = await recover([entry(1, { changes: [planned('city', 'Bonn')] })], { city });
    expect(recovered.get('7')).toMatchObject({ isWritten: false, written: {}, theirs: { city: 'Ulm' } });
  });

  it("takes for somebody's what an undo has brought back", async () => {
    const changes = [planned('city', 'Ulm')];
    const { recovered, states } = await recover([entry(1, { kind: 'undo', changes })]);
    expect(states).toEqual(['written']);
    expect(recovered.get('7')).toMatchObject({ isWritten: false, written: {}, theirs: { city: 'Ulm' } });
  });

  it.each(['planned', 'written', 'refused'] as const)(
    'gives back once more what was %s to be given back, where an earlier write of ours has come over it',
    async (state) => {
      const changes = [{ ...planned('city', 'Bonn'), undone: true, state }];
      const city = [{ value: 'Ulm', ...OURS }, ...(state === 'written' ? [{ value: 'Bonn', ...OURS }] : [])];
      const { recovered } = await recover([entry(1, { changes })], { city });
      expect(recovered.get('7')?.taken).toEqual({ city: { by: 'Ulm', lost: 'Bonn' } });
    },
  );
});
