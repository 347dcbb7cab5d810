import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../../infra/sandbox/hubspot/state.ts';
import type { Evidence } from './oracle/evidence.ts';
import { turnFaults } from './oracle/turns.ts';

interface Turn {
  readonly purpose: 'live' | 'import';
  readonly createdMin: number;
  readonly askedMin: number;
  /** Who brought it; as its purpose says, unless told. */
  readonly source?: string;
  /** When somebody asked for it. */
  readonly requestedMin?: number;
}

const MINUTE_MS = 60_000;

/** Contacts that come and are asked about at these minutes, in an installation that nothing befalls. */
function judged(turns: readonly Turn[]): string[] {
  const records = turns.map(recordOf);
  const rows = turns.map(
    ({ purpose, askedMin }, id) =>
      `pending,contacts#${id},${purpose},${new Date(askedMin * MINUTE_MS).toISOString()}`,
  );
  return turnFaults({
    agreed: { appId: 1, isUndisturbed: true },
    told: { ledger: ['kind,record,purpose,time', ...rows].join('\r\n') },
    hubSpot: { records: { '0-1': Object.fromEntries(records.map((record) => [record.id, record])) } },
  } as unknown as Evidence);
}

function recordOf({ purpose, createdMin, source, requestedMin }: Turn, id: number) {
  const type = source ?? (purpose === 'import' ? 'IMPORT' : 'CRM_UI');
  const timestamp = (requestedMin ?? 0) * MINUTE_MS;
  const request = { value: 'true', timestamp, sourceType: 'CRM_UI', sourceId: '' };
  const history: StoredRecord['history'] =
    requestedMin === undefined ? {} : { enrichment_requested: [request] };
  return { id: `${id}`, createdAt: createdMin * MINUTE_MS, source: { type, id: '' }, history };
}

const lead = (askedMin: number): Turn => ({ purpose: 'live', createdMin: 0, askedMin });
const imports = (count: number, { createdMin, askedMin }: Omit<Turn, 'purpose'>): Turn[] =>
  Array.from({ length: count }, (_, index) => ({
    purpose: 'import',
    createdMin,
    askedMin: askedMin + index,
  }));

describe('the oracle of turns', () => {
  it('finds nothing where leads go first, and of imports the newest with some of the oldest', () => {
    const old = imports(4, { createdMin: 0, askedMin: 28 });
    const young = imports(10, { createdMin: 20, askedMin: 25 });
    expect(judged([lead(2), ...old, ...young])).toEqual([]);
  });

  it.each<[string, readonly Turn[], RegExp]>([
    [
      'a lead that is taken for an import',
      [{ ...lead(1), purpose: 'import', source: 'CRM_UI' }],
      /0 is a lead and was asked about as an import/,
    ],
    [
      'an import that is taken for a lead',
      [{ ...lead(1), source: 'IMPORT' }],
      /0 came with an import and was asked about as a lead/,
    ],
    [
      'the same, although somebody asks for it days later',
      [{ ...lead(1), source: 'IMPORT', requestedMin: 4 * 24 * 60 }],
      /0 came with an import and was asked about as a lead/,
    ],
    [
      'an import that stays one although somebody asked for it',
      [{ ...lead(20), purpose: 'import', requestedMin: 1 }],
      /after somebody had asked for it/,
    ],
    [
      'imports that go before a lead',
      [lead(60), ...imports(7, { createdMin: 0, askedMin: 10 })],
      /7 imports went before 0, a lead/,
    ],
    [
      'imports of which the oldest go first',
      [...imports(10, { createdMin: 0, askedMin: 30 }), ...imports(2, { createdMin: 20, askedMin: 50 })],
      /the oldest went first/,
    ],
  ])('sees %s', (_, turns, problem) => {
    expect(judged(turns)).toContainEqual(expect.stringMatching(problem));
  });
});
