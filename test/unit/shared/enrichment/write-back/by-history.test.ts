import { expect, it } from 'vitest';
import { ownByHistory } from '#inside/enrichment/write-back/by-history.ts';
import type { WriteDraft } from '#inside/enrichment/write-back/draft.ts';
import { admissionOf, createMark, parsePolicy } from '#shared/field-policy';
import type { PropertyVersion } from '#shared/hubspot';
import { createDigest } from '#shared/kernel/adapters';
import type { Ownership } from '#shared/ownership';
import { newRecordState } from '#shared/records';
import { definitionOf, definitionsOf } from '../../field-policy/definitions.ts';

const OURS = { value: 'Ulm', timestampMs: 0, sourceType: 'INTEGRATION', sourceId: '7001' };
const digest = createDigest('an installation secret of a test');
const definitions = definitionsOf(definitionOf('city'));
const mark = createMark({ definitions, hash: digest.keyed });

/** What history makes of a city that says what we wrote last, before a refresh replaces it. */
async function recovered(
  versions: readonly PropertyVersion[],
  ownership: Ownership = { city: { written: [mark('city', 'Ulm')] } },
) {
  const state = { ...newRecordState('contacts', '7'), ownership };
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
  const found = (await ownByHistory({ crm, digest, ownAppId: '7001' }, group))?.get('7');
  return found && { written: found.written, theirs: found.theirs, others: found.others };
}

const PERSONS = { value: 'Ulm', timestampMs: 1, sourceType: 'CRM_UI', sourceId: 'userId:1' };
const OF_APP = { ...OURS, sourceId: '8' };
const MERGED = { ...OURS, sourceType: 'MERGE_OBJECTS' };

const AS_OURS = { written: { city: mark('city', 'Ulm') }, theirs: {}, others: {} };
const asOthers = (by: 'person' | 'app') => ({
  written: {},
  theirs: { city: 'Ulm' },
  others: { city: { value: 'Ulm', by } },
});

it.each([
  ['we wrote it', [OURS], AS_OURS],
  ['a merge kept our value', [MERGED, OURS], AS_OURS],
  ['a person typed it again', [PERSONS, OURS], asOthers('person')],
  ['a merge kept the value of a person', [MERGED, PERSONS, OURS], asOthers('person')],
  ['a merge kept ours over another value', [MERGED, { ...PERSONS, value: 'Kiel' }, OURS], AS_OURS],
  ['another app wrote it', [OF_APP, OURS], asOthers('app')],
  ['no version is left', [], { written: {}, theirs: {}, others: {} }],
] as const)('a value that equals our last one: %s', async (_, versions, known) => {
  expect(await recovered(versions)).toEqual(known);
});

it("a person's value without an ownership entry corrects none", async () => {
  expect(await recovered([PERSONS], {})).toEqual({ ...asOthers('person'), theirs: {} });
});
