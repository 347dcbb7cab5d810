import { expect, it } from 'vitest';
import { ownByHistory } from '#inside/enrichment/write-back/by-history.ts';
import type { WriteDraft } from '#inside/enrichment/write-back/draft.ts';
import { admissionOf, createMark, parsePolicy } from '#shared/field-policy';
import type { PropertyVersion } from '#shared/hubspot';
import { createDigest } from '#shared/kernel/adapters';
import { newRecordState } from '#shared/records';
import { definitionOf, definitionsOf } from '../../field-policy/definitions.ts';

const OURS = { value: 'Ulm', timestampMs: 0, sourceType: 'INTEGRATION', sourceId: '7001' };
const digest = createDigest('an installation secret of a test');
const definitions = definitionsOf(definitionOf('city'));
const mark = createMark({ definitions, hash: digest.keyed });

/** What history makes of a city that says what we wrote last, before a refresh replaces it. */
async function recovered(versions: readonly PropertyVersion[]) {
  const state = {
    ...newRecordState('contacts', '7'),
    ownership: { city: { written: [mark('city', 'Ulm')] } },
  };
  const record = { objectType: 'contacts', id: '7', properties: { city: 'Ulm' }, createdAtMs: 0 } as const;
  const run = { id: 'r', purpose: 'refresh', openedAtMs: 0, credits: 0 } as const;
  const admission = admissionOf(parsePolicy({ budgets: { perDay: 1 } }), record, { nowMs: 0 });
  const held = { ...record, state, run, record, definitions, admission, readAtMs: 0, requested: false };
  const runOutcome = {
    kind: 'outcome',
    outcome: 'unchanged',
    reason: { code: 'x' },
    credits: 0,
    learned: {},
  } as const;
  const rule = { property: 'city', from: 'city', convert: 'text', write: 'ours' } as const;
  const draft: WriteDraft = {
    held,
    outcome: 'enriched',
    reason: { code: 'x' },
    status: 'enriched',
    dropped: [],
    answered: { kind: 'ended', held, runOutcome, writesStatus: true },
    proposals: [{ property: 'city', value: 'Bonn', rule }],
  };
  const crm = { history: async () => new Map([['7', { city: versions }]]) };
  const now = { records: new Map([['7', record]]), failed: new Map() };
  const group = { objectType: 'contacts', drafts: [draft], now, definitions, recovered: new Map() } as const;
  return (await ownByHistory({ crm, digest, ownAppId: '7001' }, group))?.get('7');
}

it('a value keeps its owner after a merge', async () => {
  const known = await recovered([{ ...OURS, sourceType: 'MERGE_OBJECTS' }, OURS]);
  expect(known).toMatchObject({ written: { city: mark('city', 'Ulm') }, theirs: {} });
});
