import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

/** Runs a course in a process that has these vendors in use. */
async function courseOf(vendors: 'tiny' | 'both', condition: string) {
  const course = new URL(`../harness/vendors/${vendors}/course.ts`, import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[`--conditions=${condition}`, '--input-type=module'],
    ...['--eval', `await import('${course.href}')`],
  ]);
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

describe('another vendor, through the same interface alone', () => {
  let told: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    told = await courseOf('tiny', 'tiny-vendor');
  });

  it('enriches a contact and a company by canonical names, and by its own after "raw."', () => {
    expect(told).toMatchObject({
      contact: { jobtitle: 'Glazier', company: 'Valeco', city: '40' },
      company: { numberofemployees: '120', founded_year: '1987' },
      outcome: { kind: 'enriched', credits: 4 },
      violations: [],
    });
  });

  it('is paid by its own prices, once for each question and for a miss', () => {
    expect(told).toMatchObject({
      charges: ['companyBySite 2', 'personByAddress 4', 'personByAddress 4'],
      bill: expect.arrayContaining([2, 4, 4]),
      requestsToFirstVendor: 0,
    });
    expect(told['bill']).toHaveLength(3);
  });

  it('is not asked about a forgotten person', () => {
    expect(told).toMatchObject({ forgotten: { reason: { code: 'forgotten' }, credits: 0 } });
  });
});

describe('a second vendor, asked after a miss of the first', () => {
  let told: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    told = await courseOf('both', 'two-vendors');
  });

  it('is not asked about a person whom the first knows', () => {
    expect(told['knownToFirst']).toMatchObject({
      outcome: { kind: 'enriched', credits: 1, reason: { params: { operation: 'reverseEmail' } } },
      requests: [1, 0],
    });
  });

  it('answers what the first missed, once, by its own price', () => {
    expect(told['missedByFirst']).toMatchObject({
      outcome: { kind: 'enriched', credits: 1 + 4 },
      properties: { jobtitle: 'Glazier', enrichment_source: 'personByAddress' },
      requests: [2, 1],
    });
    expect(told['askedAgain']).toEqual({ servesFirst: 0, answer: 'found', requests: [2, 1] });
  });

  it('is asked as little as the first about a forgotten person, and its answers go too', () => {
    expect(told['forgotten']).toMatchObject({
      outcome: { reason: { code: 'forgotten' }, credits: 0 },
      idaAtTiny: 'forgotten',
      answersRemoved: 1,
      noraAgain: 'forgotten',
      requests: [2, 1],
    });
  });

  it('stops with the first when a person stops spending', () => {
    expect(told['stopped']).toMatchObject({
      atTiny: { kind: 'waiting', reason: 'stopped-by-person' },
      record: 'stopped-by-person',
      requests: [2, 1],
    });
  });

  it('is named when a program opens without access to it', () => {
    expect(told['withoutAccess']).toContain('otherVendors.tiny');
  });

  it('has breakers of its own', () => {
    expect(told['keyRefused']).toEqual({
      record: 'key-refused',
      ofFirst: 'enriched',
      isRefused: [false, true],
    });
  });

  it('has doubts in a ledger of its own, also after the asker was killed', () => {
    const resolved = { of: 'personByAddress', kind: 'resolved', credits: 4 };
    expect(told['doubt']).toMatchObject({ outcome: 'charge-unknown', resolved });
    expect(told['killed']).toMatchObject({ openBefore: 1, resolved });
  });

  it('has a rate and budgets of its own, and its ledger equals its bill', () => {
    expect(told['books']).toMatchObject({
      first: { charges: Array.from({ length: 8 }, () => 'reverseEmail 1'), bill: 8 },
      tiny: { charges: Array.from({ length: 4 }, () => 'personByAddress 4'), bill: 16 },
      open: [0, 0],
      rates: [20, 60],
      waiting: ['budget', 'budget', 'budget'],
      problems: [],
      isSentInFirst: true,
      violations: [],
    });
  });
});
