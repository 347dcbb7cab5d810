import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StandIns, startStandIns } from './console.ts';

let standIns: StandIns;
let record = '';
const run = (...words: string[]) => standIns.run(words);
const file = (name: string) => join(standIns.path, name);

/** A company that was enriched, and another policy, by which its founding year is written as its second address too. */
beforeAll(async () => {
  standIns = await startStandIns({}, { hasWorkers: false });
  const { dataService, create } = standIns;
  record = `companies/${await create('companies', { domain: dataService.world.companies[3]?.domains[0] })}`;
  const added = { address2: { from: 'founded_year', convert: 'text', write: 'ours' } };
  const policy = { version: 'wider', budgets: { perDay: 200 }, fields: { companies: added } };
  await writeFile(file('wider.mjs'), `export default ${JSON.stringify(policy)};`);
  await run('setup');
  await run('enrich', record, '--yes');
});
afterAll(() => standIns.stop());

describe('policy compare', () => {
  it('tells in the terminal what another policy would do', async () => {
    const { code, out } = await run('policy', 'compare', file('wider.mjs'));
    expect(code).toBe(0);
    expect(out).toContain('Compared over 1 stored answer; no lookups were made, and nothing was written.');
    expect(out).toContain('+1 value would be added');
    expect(out).toMatch(/companies\.address2 +1 +0 +0/);
    expect(out).toContain('1 value would be written to 1 record, for 0 credits, by: policy apply\n');
    expect(out).toContain('One refresh of all records\n  It costs at most 1 credit, the same as now.');
  });

  it('has it as JSON and as Markdown, and not as both', async () => {
    const json = (await run('policy', 'compare', file('wider.mjs'), '--json')).json();
    expect(json).toMatchObject({ before: 'test-1', after: 'wider', writes: { apply: { values: 1 } } });
    expect(json['nextCycle']).toEqual({ before: 1, after: 1 });
    const { out } = await run('policy', 'compare', file('wider.mjs'), '--markdown');
    expect(out).toContain(`### Policy wider (${file('wider.mjs')}) compared with test-1 (in force)`);
    expect(out).toContain('| companies.address2 | 1 | 0 | 0 | 0 | 0 |');
    expect(await run('policy', 'compare', file('wider.mjs'), '--markdown', '--json')).toMatchObject({
      code: 2,
    });
  });

  it('shows in the terminal how many records each rule decides about', async () => {
    const whom = { companies: [{ name: 'nobody', enrich: false }] };
    const ruled = { version: 'ruled', budgets: { perDay: 200 }, whom };
    await writeFile(file('ruled.mjs'), `export default ${JSON.stringify(ruled)};`);
    const { out } = await run('policy', 'compare', file('ruled.mjs'));
    expect(out).toMatch(/companies: nobody +0 +1\n/);
    expect(out).toMatch(/companies: every record, without rules +1 +0\n/);
  });

  it('tells two files of one version apart', async () => {
    const policy = { version: 'test-1', budgets: { perDay: 200 } };
    for (const name of ['one.mjs', 'two.mjs'])
      await writeFile(file(name), `export default ${JSON.stringify(policy)};`);
    const { out } = await run('policy', 'compare', file('one.mjs'), '--against', file('two.mjs'));
    expect(out).toContain(`Policy test-1 (${file('one.mjs')}) compared with test-1 (${file('two.mjs')})`);
  });

  it('says which policy it does not find', async () => {
    expect(await run('policy', 'compare', file('none.mjs'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('none.mjs'),
    });
    expect(await run('policy', 'compare', file('wider.mjs'), '--against', 'older')).toMatchObject({
      code: 4,
      err: expect.stringContaining('no policy of that version or hash'),
    });
  });
});

describe('policy check', () => {
  it('warns of a job property outside the employer group', async () => {
    const title = { from: 'title', convert: 'text', write: 'ours' };
    const contacts = { job_function: { ...title, group: 'none' }, seniority: title, city: { group: 'none' } };
    const policy = { budgets: { perDay: 200 }, fields: { contacts } };
    await writeFile(file('apart.mjs'), `export default ${JSON.stringify(policy)};`);
    const { out } = await run('policy', 'check', '--policy', file('apart.mjs'));
    expect(out).toContain('warn  employer group of contacts: does not have job_function: ');
    expect((await run('policy', 'check')).out).toContain(
      'ok    employer group of contacts: has all properties',
    );
  });

  it('refuses a group of a company property', async () => {
    const policy = { budgets: { perDay: 200 }, fields: { companies: { name: { group: 'employer' } } } };
    await writeFile(file('company.mjs'), `export default ${JSON.stringify(policy)};`);
    const { err } = await run('policy', 'check', '--policy', file('company.mjs'));
    expect(err).toContain('fields.companies.name.group: only a property of contacts has a group');
  });
});

describe('policy apply', () => {
  it('asks first, writes what was foretold, and is taken back as a whole', async () => {
    const policy = ['--policy', file('wider.mjs')];
    expect(await run(...policy, 'policy', 'apply')).toMatchObject({
      code: 2,
      err: expect.stringContaining('for 0 credits; there is no terminal to ask, so add --yes'),
    });
    const report = (await run(...policy, 'policy', 'apply', '--yes', '--json')).json();
    expect(report).toMatchObject({ records: 1, written: { records: 1, values: 1 }, failed: 0, left: {} });
    const again = await run(...policy, 'policy', 'apply', '--yes');
    expect(again.out).toBe('1 stored answer mapped again: 0 values written to 0 records, for 0 credits.\n');
    const against = await run('policy', 'compare', file('wider.mjs'), '--against', 'wider', '--json');
    expect(against.json()).toMatchObject({ before: 'wider', writes: { apply: { values: 0 } } });
    const { out } = await run('policy', 'compare', file('wider.mjs'), '--against', 'wider');
    expect(out).toContain(`Policy wider (${file('wider.mjs')}) compared with wider (in force before)`);

    const undone = await run(...policy, 'undo', '--apply', String(report['id']), '--yes', '--json');
    expect(undone.json()).toMatchObject({
      records: [{ record, restored: [{ property: 'address2', to: null }] }],
    });
    expect(await run(...policy, 'undo', '--apply', 'none', '--yes')).toMatchObject({ code: 4 });
  });
});
