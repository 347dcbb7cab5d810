import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns({}, { hasWorkers: false });
interface Check {
  readonly code: string;
}

const run = (...words: string[]) => standIns.run(words);
const file = (name: string) => join(standIns.path, name);

/** A company that was enriched, and another policy, by which its founding year is written as its second address too. */
const { dataService, create } = standIns;
const record = `companies/${await create('companies', { domain: dataService.world.companies[3]?.domains[0] })}`;
const added = { address2: { from: 'foundedYear', convert: 'text', write: 'ours' } };
const policy = { version: 'wider', budgets: { perDay: 200 }, fields: { companies: added } };
await writeFile(file('wider.mjs'), `export default ${JSON.stringify(policy)};`);
await run('setup');
await run('enrich', record, '--yes');
afterAll(() => standIns.stop());

it('policy compare has it as JSON and as Markdown, and not as both', async () => {
  const json = (await run('policy', 'compare', file('wider.mjs'), '--json')).json();
  const writes = {
    records: 1,
    totals: { added: 1, changed: 0, lost: 0 },
    apply: { records: 1, values: 1 },
  };
  expect(json).toMatchObject({ before: 'test-1', after: 'wider', writes });
  expect(json['nextCycle']).toEqual({ before: 1, after: 1 });
  const { out } = await run('policy', 'compare', file('wider.mjs'), '--markdown');
  for (const title of [`wider (${file('wider.mjs')})`, 'test-1']) expect(out.split('\n')[0]).toContain(title);
  expect(out).toContain('| companies.address2 | 1 | 0 | 0 | 0 | 0 |');
  expect(await run('policy', 'compare', file('wider.mjs'), '--markdown', '--json')).toMatchObject({
    code: 2,
  });
});

it('policy compare and policy check name a budget whose limit is used up already, and until when', async () => {
  const limited = async (version: string, budgets: object) => {
    const name = file(`${version}.mjs`);
    await writeFile(name, `export default ${JSON.stringify({ version, budgets })};`);
    const { usedUp } = (await run('policy', 'compare', name, '--json')).json();
    const checked = (await run('policy', 'check', '--policy', name, '--json')).json();
    expect(checked['usedUp']).toEqual(usedUp);
    return usedUp;
  };
  const opensAtMs = expect.any(Number);
  const used = { usedCredits: 1, limitCredits: 1, opensAtMs };
  expect(await limited('day', { perDay: 1 })).toEqual({ budget: 'total/day', ...used });
  const perMonth = { perDay: 2, perMonth: 200, purposes: { manual: { perMonth: 1 } } };
  expect(await limited('manual', perMonth)).toEqual({ budget: 'manual/month', ...used });
  expect(await limited('enough', { perDay: 2 })).toBeUndefined();
  expect(await limited('refresh', { perDay: 200, purposes: { refresh: { perDay: 1 } } })).toBeUndefined();
});

describe('policy check', () => {
  it('shows each fault of a policy on its own line', async () => {
    await writeFile(file('faulty.mjs'), `export default { budgets: { perDay: -1 }, mode: 'sometimes' };`);
    const { code, err } = await run('policy', 'check', '--policy', file('faulty.mjs'));
    const lines = err.split('\n').filter((line) => /perDay|mode/.test(line));
    expect([code, lines.length]).toEqual([2, 2]);
  });

  it('warns of a job property outside the employer group', async () => {
    const title = { from: 'title', convert: 'text', write: 'ours' };
    const contacts = { job_function: { ...title, group: 'none' }, seniority: title, city: { group: 'none' } };
    const policy = { budgets: { perDay: 200 }, fields: { contacts } };
    await writeFile(file('apart.mjs'), `export default ${JSON.stringify(policy)};`);
    const check = async (...words: string[]) => {
      const { checks } = (await run('policy', 'check', ...words, '--json')).json() as { checks: Check[] };
      return checks.find(({ code }) => code === 'job-is-split' || code === 'job-is-whole');
    };
    const params = { properties: expect.arrayContaining(['job_function']) };
    expect(await check('--policy', file('apart.mjs'))).toMatchObject({ code: 'job-is-split', params });
    expect(await check()).toMatchObject({ code: 'job-is-whole', verdict: 'ok' });
  });

  it('counts the records whose stored answer lacks an option, as a comparison does', async () => {
    const questions = { companies: { funding: true } };
    const policy = { version: 'funded', budgets: { perDay: 200 }, questions };
    await writeFile(file('funded.mjs'), `export default ${JSON.stringify(policy)};`);
    const { lacking } = (await run('policy', 'compare', file('funded.mjs'), '--json')).json();
    expect(lacking).toEqual({ funding: 1 });
    const checked = (await run('policy', 'check', '--policy', file('funded.mjs'), '--json')).json();
    expect(checked['lacking']).toEqual(lacking);
    expect((await run('policy', 'check', '--json')).json()['lacking']).toEqual({});
  });

  it('refuses a group of a company property', async () => {
    const policy = { budgets: { perDay: 200 }, fields: { companies: { name: { group: 'employer' } } } };
    await writeFile(file('company.mjs'), `export default ${JSON.stringify(policy)};`);
    const { code, json } = await run('policy', 'check', '--policy', file('company.mjs'), '--json');
    const faults = [{ code: 'group-of-company', key: 'fields.companies.name.group' }];
    expect([code, json()]).toMatchObject([2, { error: { params: { faults } } }]);
  });
});

it('policy apply asks first, writes what was foretold, and is taken back as a whole', async () => {
  const policy = ['--policy', file('wider.mjs')];
  const unasked = await run(...policy, 'policy', 'apply', '--json');
  expect([unasked.code, unasked.json()]).toMatchObject([2, { error: { code: 'not-asked' } }]);
  const report = (await run(...policy, 'policy', 'apply', '--yes', '--json')).json();
  expect(report).toMatchObject({ records: 1, written: { records: 1, values: 1 }, failed: 0, left: {} });
  const again = (await run(...policy, 'policy', 'apply', '--yes', '--json')).json();
  expect(again).toMatchObject({ records: 1, written: { records: 0, values: 0 } });
  const against = await run('policy', 'compare', file('wider.mjs'), '--against', 'wider', '--json');
  expect(against.json()).toMatchObject({ before: 'wider', writes: { apply: { values: 0 } } });

  const undone = await run(...policy, 'undo', '--apply', String(report['id']), '--yes', '--json');
  expect(undone.json()).toMatchObject({
    records: [{ record, restored: [{ property: 'address2', to: null }] }],
  });
  expect(await run(...policy, 'undo', '--apply', 'none', '--yes')).toMatchObject({ code: 4 });
});
