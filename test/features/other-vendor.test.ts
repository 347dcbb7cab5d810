import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const COURSE = new URL('../harness/vendors/tiny/course.ts', import.meta.url);

describe('another vendor, through the same interface alone', () => {
  let told: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--conditions=tiny-vendor', '--input-type=module'],
      ...['--eval', `await import('${COURSE.href}')`],
    ]);
    told = JSON.parse(stdout);
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
