import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILTERS } from '#inside/vendor/data-service/operations.ts';
import type { HttpRequest } from '#shared/http';
import { operationOptions } from '../../../../infra/cli/commands/lookup.ts';
import { CliError, EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { readCsv, type StandIns, startStandIns } from '../../../harness/console.ts';

const sent: HttpRequest[] = [];
const standIns = await startStandIns({}, { onRequest: (request) => sent.push(request) });
/** By the form of an option's value: what is typed, and what the data service gets. */
const VALUES: Readonly<Record<string, readonly [typed: readonly string[], sent: unknown]>> = {
  text: [
    ['two.example', 'one.example', 'two.example'],
    ['one.example', 'two.example'],
  ],
  domain: [['Acme.example'], 'acme.example'],
  url: [['https://network.example/company/acme'], 'https://network.example/company/acme'],
  'min..max': [['1.5..20'], { min: 1.5, max: 20 }],
  'yes|no': [['no'], false],
  'dept=min..max': [
    ['sales=5..50', 'it=0..3'],
    [
      { department: 'it', range: { min: 0, max: 3 } },
      { department: 'sales', range: { min: 5, max: 50 } },
    ],
  ],
};
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
    const { code, json } = await standIns.run([...words, '--json']);
    expect(json()).toMatchObject({ found: false, records: [], credits: 1 });
    expect(code).toBe(4);
  });

  it('asks for the price of all pages at once', async () => {
    const words = ['search', 'people', '--not-title', 'Intern', '--email', '--max', '40'];
    const { code, asked } = await standIns.run(words, { answer: 'no' });
    expect(asked).toHaveLength(1);
    for (const figure of [' 120 ', ' 40 ', ' 3 ']) expect(asked[0]).toContain(figure);
    expect(code).toBe(1);
  });

  it('prints CSV that reads back as the records are', async () => {
    const words = ['search', 'companies', '--company-location', 'Germany', '--max', '5', '--yes'];
    const { json } = await standIns.run([...words, '--json']);
    const { out } = await standIns.run([...words, '--csv']);
    const [header = [], ...rows] = readCsv(out);
    const abouts = rows.map((row) => row[header.indexOf('description')]);
    expect(abouts).toEqual(records(json()).map((record) => record['description'] ?? ''));
    expect(abouts.join('')).toContain(',');
  });

  it.each([
    ['searchPeople', undefined],
    ['searchCompanies', undefined],
    // A company is named in one of two ways.
    ['searchEmployees', 'company_network_url'],
    ['searchEmployees', 'company_domain'],
  ] as const)(
    'passes every filter and addition on to the data service: %s without %s',
    async (operation, without) => {
      const { parameters, additions } = operationOptions(operation);
      const options = [...parameters, ...additions].filter(([name]) => name !== without);
      const rows = options.map(([name, { long = '', flags, argChoices, description }]) => {
        const form = /<(.+)>/.exec(flags)?.[1];
        if (form === undefined) return { name, words: [long], value: 'include' };
        const [choice] = argChoices ?? [];
        const [typed, value] = choice ? [[choice], choice] : (VALUES[form] ?? expect.fail(form));
        const isRepeatable = description.includes('repeatable') || form !== 'text';
        const words = (isRepeatable ? typed : typed.slice(0, 1)).flatMap((each) => [long, each]);
        return { name, words, value: isRepeatable ? value : typed[0] };
      });
      const name = operation.replace('search', '').toLowerCase();
      const limits = ['--max', '1', '--wait', '0', '--yes'];
      const search = ['search', name, ...rows.flatMap(({ words }) => words), ...limits];
      for (const form of ['--json', '--csv']) {
        // The stand-in refuses filters that it does not play.
        expect((await standIns.run([...search, form])).code).not.toBe(EXIT.usage);
        const { url, body } = sent.at(-1) ?? expect.fail('nothing was sent');
        const got = body === undefined ? Object.fromEntries(new URL(url).searchParams) : JSON.parse(body);
        expect(got).toMatchObject(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
      }
    },
  );

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
    expect(json()).toMatchObject({
      credits: 200,
      complete: false,
      error: { code: 'budget', params: { settings: ['budgets.perDay'] } },
    });
    expect(err).toContain('budgets.perDay');
    expect(code).toBe(3);
    expect(await fresh.bill()).toBe(200);
  });
});

it('the searches have an option for every filter that the data service has', () => {
  for (const operation of ['searchPeople', 'searchCompanies'] as const)
    expect(operationOptions(operation).parameters.map(([name]) => name)).toEqual(Object.keys(FILTERS));
});

it('a search that is stopped asks for no further page, and gives what was paid for', async () => {
  const stopping = new AbortController();
  const stopped = new CliError('stopped', 'Stopped.', { exit: EXIT.failed });
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

it.each([
  [['people', '--title', 'CTO'], 'missing-option', '--max'],
  [['people', '--max', '5'], 'too-few-criteria', undefined],
  [['employees', '--title', 'CTO', '--max', '5'], 'too-few-criteria', undefined],
  [['people', '--title', '', '--max', '5'], 'empty-text', '--title'],
  [['people', '--traffic', '50..5', '--max', '5'], 'not-a-range', '--traffic'],
  [['people', '--roles-count', '5..50', '--max', '5'], 'not-a-department-range', '--roles-count'],
  [['people', '--has-web-app', 'perhaps', '--max', '5'], 'not-yes-or-no', '--has-web-app'],
  [
    ['employees', '--domain', 'a.com', '--department', 'Magic', '--max', '5'],
    'unknown-choice',
    '--department',
  ],
])('wrong arguments end with 2 and name the option: %s', async (words, refused, option) => {
  const { code, json } = await standIns.run(['search', ...words, '--yes', '--json']);
  const { error } = json() as { error: { code: string; params?: { option: string } } };
  expect([code, error.code, error.params?.option]).toEqual([2, refused, option]);
});

it('the books after all this equal the bill', async () => {
  const { json } = await standIns.run(['ledger', 'verify', '--json']);
  expect(json()).toMatchObject({
    ok: true,
    problems: [],
    lifetime: { posted: await standIns.bill(), pending: 0, doubtful: 0 },
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
    const { code, json } = await fresh.run([...words, '--yes', '--json']);
    expect(json()).toMatchObject({ credits: 5, overchargedCredits: 3 });
    expect(code).toBe(1);
  });
});
