import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliError, EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { readCsv, type StandIns, startStandIns } from './console.ts';

let standIns: StandIns;
beforeAll(async () => {
  standIns = await startStandIns();
});
afterAll(() => standIns.stop());

const records = (json: Record<string, unknown>) => json['records'] as Record<string, unknown>[];

describe('search', () => {
  it('lists people who meet the filters, never more than --max, at a credit each', async () => {
    const before = await standIns.bill();
    const words = ['search', 'people', '--location', 'Germany', '--title', 'Manager', '--max', '7'];
    const { code, json } = await standIns.run([...words, '--json', '--yes']);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ credits: 7, fromStore: false, complete: true });
    expect(records(json())).toHaveLength(7);
    expect(new Set(records(json()).map(({ country }) => country))).toEqual(new Set(['Germany']));
    expect((await standIns.bill()) - before).toBe(7);
  });

  it('costs nothing when it is repeated, in whatever order its options are typed', async () => {
    const before = await standIns.bill();
    const words = [
      '--title',
      'Manager',
      '--json',
      '--location',
      'Germany',
      '--title',
      'Manager',
      '--max',
      '7',
    ];
    const { code, json } = await standIns.run(['search', 'people', ...words]);
    expect(json()).toMatchObject({ credits: 0, fromStore: true, recordsFromStore: 7 });
    expect(code).toBe(0);
    expect(await standIns.bill()).toBe(before);
  });

  it('adds what is paid for extra', async () => {
    const words = [
      'search',
      'people',
      '--seniority',
      'Director',
      '--max',
      '4',
      '--email',
      '--phone',
      '--json',
    ];
    const { json } = await standIns.run([...words, '--yes']);
    expect(json()).toMatchObject({ credits: 24 });
    expect(records(json()).some((record) => 'mobile_number' in record)).toBe(true);
  });

  it('lists companies with their additions', async () => {
    const words = ['search', 'companies', '--company-location', 'Germany', '--roles-count', 'sales=1..5000'];
    const { json } = await standIns.run([...words, '--technology', '--max', '3', '--json', '--yes']);
    expect(json()).toMatchObject({ operation: 'searchCompanies', credits: 9 });
    expect(records(json())).toHaveLength(3);
  });

  it('lists employees until there are no more, and pays for those alone', async () => {
    const domain = await domainOfSmallCompany();
    const words = ['search', 'employees', '--domain', domain, '--max', '100', '--json', '--yes'];
    const { code, json } = await standIns.run(words);
    const { length } = records(json());
    expect(code).toBe(0);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(100);
    expect(json()).toMatchObject({ credits: length });
  });

  it('ends with 4 where the company is not known', async () => {
    const words = ['search', 'employees', '--domain', 'unknown-firm.com', '--max', '3', '--yes'];
    const { code, out } = await standIns.run(words);
    expect(out).toContain('No match.');
    expect(code).toBe(4);
  });

  it('asks for the price of all pages at once', async () => {
    const words = ['search', 'people', '--not-title', 'Intern', '--email', '--max', '40'];
    const { code, asked } = await standIns.run(words, { answer: 'no' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(
      'People search with email: at most 120 credits for up to 40 results at 3 each',
    );
    expect(code).toBe(1);
  });

  it('prints CSV that reads back as the records are', async () => {
    const words = ['search', 'companies', '--company-location', 'Germany', '--max', '5', '--yes'];
    const { json } = await standIns.run([...words, '--json']);
    const { out, err } = await standIns.run([...words, '--csv']);
    const [header = [], ...rows] = readCsv(out);
    const abouts = rows.map((row) => row[header.indexOf('about_us')]);
    expect(abouts).toEqual(records(json()).map((record) => record['about_us']));
    expect(abouts.join('')).toContain(',');
    expect(err).toContain('5 results. Cost: 0 credits; 5 results from the store.');
  });

  it('prints a row a record as a table', async () => {
    const { out } = await standIns.run([
      ...['search', 'people', '--location', 'Germany', '--title', 'Manager', '--max', '7'],
    ]);
    const [head = '', ...lines] = out.trimEnd().split('\n');
    expect(head).toMatch(/^name +title +organizations\.name/);
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe('7 results. Cost: 0 credits; 7 results from the store.');
  });

  async function domainOfSmallCompany(): Promise<string> {
    const companies = await standIns.records('company');
    const small = companies.find(
      (one) => Number(one['employee_count']) < 100 && Number(one['employee_count']) > 20,
    );
    return small?.['primary_domain'] ?? '';
  }
});

describe('a search that the budget ends', () => {
  let fresh: StandIns;
  beforeAll(async () => {
    fresh = await startStandIns();
  });
  afterAll(() => fresh.stop());

  it('gives what was paid for, says why it stopped, and ends with 3', async () => {
    const words = ['search', 'people', '--not-title', 'Intern', '--max', '300', '--json', '--yes'];
    const { code, json, err } = await fresh.run(words);
    expect(records(json())).toHaveLength(200);
    expect(json()).toMatchObject({ credits: 200, complete: false, error: { code: 'budget' } });
    expect(err).toContain(
      "Today's budget of 200 credits is used up. Raise budgets.perDay in the policy, or try again after ",
    );
    expect(code).toBe(3);
    expect(await fresh.bill()).toBe(200);
  });

  it('spends nothing more afterwards', async () => {
    const { code, json } = await fresh.run(['lookup', 'email', 'a@unknown-firm.com', '--yes', '--json']);
    expect(json()).toMatchObject({ error: { code: 'budget', until: expect.stringMatching(/T00:00:00/) } });
    expect(code).toBe(3);
    expect(await fresh.bill()).toBe(200);
  });
});

describe('a search that is stopped', () => {
  it('asks for no further page, and gives what was paid for', async () => {
    const stopping = new AbortController();
    const stopped = new CliError('Stopped.', { exit: EXIT.failed, code: 'stopped' });
    const onRequest = ({ url }: { url: string }) => {
      if (url.includes('/search')) stopping.abort(stopped);
    };
    const fresh = await startStandIns({}, { onRequest });
    const words = ['search', 'people', '--not-title', 'Intern', '--max', '180', '--json'];
    const { code, json } = await fresh.run(words, { answer: 'y', io: { signal: stopping.signal } });
    expect(records(json())).toHaveLength(90);
    expect(json()).toMatchObject({ credits: 90, complete: false, error: { code: 'stopped' } });
    expect(code).toBe(1);
    expect(await fresh.bill()).toBe(90);
    await fresh.stop();
  });
});

describe('wrong arguments', () => {
  it.each([
    [['people', '--title', 'CTO'], "required option '--max <number>' not specified"],
    [['people', '--title', 'CTO', '--max', '0'], '1 or more'],
    [['people', '--max', '5'], 'At least one search criterion is required'],
    [['companies', '--max', '5', '--funding'], 'At least one search filter is required'],
    [['employees', '--title', 'CTO', '--max', '5'], 'is required'],
    [['people', '--title', '', '--max', '5'], "option '--title <text>' argument '' is invalid"],
    [['people', '--traffic', '5', '--max', '5'], 'It must be min..max, such as 10..50'],
    [['people', '--traffic', '50..5', '--max', '5'], 'It must be min..max'],
    [['people', '--roles-count', '5..50', '--max', '5'], 'such as sales=5..50'],
    [['people', '--has-web-app', 'perhaps', '--max', '5'], 'It must be yes or no'],
    [['people', '--domain', 'nowhere', '--max', '5'], '--domain: Invalid domain format.'],
    [['employees', '--domain', 'a.com', '--department', 'Magic', '--max', '5'], 'Allowed choices are'],
    [
      ['employees', '--page', 'https://a.com/in/jane', '--max', '5'],
      '--page: Invalid company page URL format',
    ],
  ])('end with 2 and a sentence that names them: %s', async (words, sentence) => {
    const { code, err } = await standIns.run(['search', ...words, '--yes']);
    expect(err).toContain(sentence);
    expect(code).toBe(2);
  });
});

describe('the books after all this', () => {
  it('equal the bill', async () => {
    const { json } = await standIns.run(['ledger', 'verify', '--json']);
    expect(json()).toMatchObject({
      ok: true,
      problems: [],
      lifetime: { posted: await standIns.bill(), pending: 0, doubtful: 0 },
    });
  });
});

describe('a data service that sends more results than asked for', () => {
  let fresh: StandIns;
  beforeAll(async () => {
    fresh = await startStandIns({ pageOverrun: 3 });
  });
  afterAll(() => fresh.stop());

  it('warns of a charge above the agreed price, and ends with 1', async () => {
    const words = ['search', 'people', '--location', 'Germany', '--not-title', 'Intern', '--max', '2'];
    const { code, err } = await fresh.run([...words, '--yes']);
    expect(err).toContain('The data service charged 3 credits more than you agreed to.');
    expect(code).toBe(1);
  });
});
