import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readName } from '../../../../infra/cli/commands/find-record.ts';
import { EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns({}, { hasWorkers: false });
const run = (...words: string[]) => standIns.run(words);

/** An installation with a company in HubSpot that existed before it. */
const { create } = standIns;
const domain = (await standIns.records('company'))[3]?.['primary_domain'] ?? '';
const companyId = await create('companies', { domain });
const known = (await standIns.records('person'))[0];
const wrongName = { firstname: 'Ottokar', lastname: 'Quillfeather' };
const misnamedId = await create('contacts', { ...wrongName, hs_linkedin_url: known?.['network_url'] });
await create('contacts', { firstname: 'Sam', email: 'sam.of.the.test@gmail.com' });
for (const name of ['One', 'Two']) await create('companies', { name, domain: 'twice.example.com' });
await run('setup');
afterAll(() => standIns.stop());

describe('the record that is meant', () => {
  it.each([
    ['contacts/123', { objectType: 'contacts', id: '123' }],
    ['company/123', { objectType: 'companies', id: '123' }],
    [
      'https://app.hubspot.com/contacts/24170001/record/0-1/123',
      { objectType: 'contacts', id: '123', portalId: '24170001' },
    ],
    [
      'app-eu1.hubspot.com/contacts/1/record/0-2/99/view/1?x=1',
      { objectType: 'companies', id: '99', portalId: '1' },
    ],
    [
      'https://app.hubspot.com/contacts/24170001/company/7/',
      { objectType: 'companies', id: '7', portalId: '24170001' },
    ],
    ['Jane@Acme.example', { email: 'jane@acme.example' }],
    ['https://www.acme.com/about', { domain: 'acme.com' }],
  ])('of %s is %j', (words, named) => {
    expect(readName(words)).toEqual(named);
  });

  it.each([
    ...['123', 'deals/4', '', 'no such thing'],
    'https://app.hubspot.com/contacts/24170001/record/0-3/4',
    'https://app.hubspot.com/contacts/24170001/objects/0-1/views/all/list',
  ])('is not in "%s"', (words) => {
    expect(() => readName(words)).toThrow(expect.objectContaining({ code: 'not-a-record' }));
  });
});

describe('enrich without a running system', () => {
  it('plans in a dry run, and spends and writes nothing', async () => {
    const { code, json } = await run('enrich', domain, '--dry-run', '--json');
    expect(json()).toMatchObject({
      record: `companies/${companyId}`,
      credits: 1,
      questions: [{ operation: 'companyProfile', credits: 1 }],
      writes: expect.arrayContaining([
        expect.objectContaining({ property: 'name', rule: 'fill-blank', mayBeWritten: true }),
        expect.objectContaining({ property: 'numberofemployees', mayBeWritten: true }),
      ]),
    });
    expect(code).toBe(0);
    expect((await run('enrich', domain, '--dry-run')).code).toBe(0);
    expect((await run('spend', '--json')).json()).toMatchObject({ spentTodayCredits: 0 });
  });

  it('refuses, before anything is spent, a policy whose property the account lacks', async () => {
    const file = join(standIns.path, 'lacking.mjs');
    const fields = `{ companies: { no_such_property: { from: 'type', convert: 'text', write: 'ours' } } }`;
    await writeFile(file, `export default { budgets: { perDay: 200 }, fields: ${fields} };`);
    const { code, err } = await run('enrich', domain, '--yes', '--policy', file);
    expect(err).toContain('no_such_property');
    expect(code).not.toBe(0);
    expect((await run('spend', '--json')).json()).toMatchObject({ spentTodayCredits: 0 });
  });

  it('asks at the price before it spends', async () => {
    const { code, err } = await run('enrich', `companies/${companyId}`);
    expect(err).toContain(`companies/${companyId}`);
    expect(err).toMatch(/\b1\b.*\b200\b/);
    expect(code).toBe(2);
  });

  it('enriches one that existed before the installation, and shows before and after', async () => {
    const { code, json } = await run('enrich', domain, '--yes', '--json');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ record: `companies/${companyId}`, outcome: 'enriched', credits: 1 });
    const changes = json()['changes'] as { property: string; before: unknown; after: unknown }[];
    expect(changes).toContainEqual({ property: 'enrichment_status', before: null, after: 'enriched' });
    expect(changes.find(({ property }) => property === 'name')?.after).toBeTruthy();
    expect(changes.filter(({ property }) => /modified/.test(property))).toEqual([]);
  });

  it('ends with "nothing to do" for one that nothing leads to', async () => {
    const { code, json } = await run('enrich', 'sam.of.the.test@gmail.com', '--json');
    expect(json()).toMatchObject({ outcome: 'skipped', code: 'free-mail-only', credits: 0 });
    expect(code).toBe(EXIT.notFound);
  });

  it('costs nothing, and asks nobody, the second time', async () => {
    const planned = (await run('enrich', domain, '--dry-run', '--json')).json();
    expect(planned).toMatchObject({ credits: 0, verdict: { outcome: 'unchanged' } });
    const rows = planned['writes'] as { property: string; mayBeWritten: boolean; kept: string }[];
    expect(rows.filter(({ mayBeWritten }) => mayBeWritten)).toEqual([]);
    expect(rows).toContainEqual(expect.objectContaining({ property: 'name', kept: 'same' }));
    const { code, json } = await run('enrich', domain, '--json');
    expect(json()).toMatchObject({ outcome: 'unchanged', credits: 0, changes: [] });
    expect(code).toBe(0);
    expect((await run('spend', '--json')).json()).toMatchObject({ spentTodayCredits: 1 });
  });

  it('shows the verdict and writes nothing if the stored answer contradicts the record', async () => {
    const record = `contacts/${misnamedId}`;
    expect((await run('enrich', record, '--yes', '--json')).json()).toMatchObject({ outcome: 'review' });
    expect((await run('explain', record, '--json')).json()).toMatchObject({
      outcome: { status: 'review', code: expect.stringMatching(/^other-/) },
    });
    const planned = (await run('enrich', record, '--dry-run', '--json')).json();
    expect(planned).toMatchObject({ credits: 0, verdict: { outcome: 'review' } });
    const rows = planned['writes'] as { mayBeWritten: boolean; kept: string }[];
    expect(rows.filter(({ mayBeWritten }) => mayBeWritten)).toEqual([]);
    const { code, reason } = planned['verdict'] as { code: string; reason: string };
    expect((await run('enrich', record, '--dry-run')).out).toContain(reason);
    const real = (await run('enrich', record, '--json')).json();
    expect(real).toMatchObject({ outcome: 'review', credits: 0, code, reason });
  });

  it('names what there is to choose from, and what there is not', async () => {
    const twice = await run('enrich', 'twice.example.com', '--json');
    expect(twice.json()).toMatchObject({ error: { code: 'several-records' } });
    expect(twice.err).toMatch(/companies\/\d+, companies\/\d+/);
    expect(twice.code).toBe(2);
    expect((await run('enrich', 'nobody@nowhere-at-all.com')).code).toBe(4);
    expect((await run('enrich', 'contacts/1', '--json')).json()).toMatchObject({
      error: { code: 'no-record' },
    });
  });
});

it('a lookup in doubt is listed with its record, and explained with its price', async () => {
  const id = await create('contacts', {
    hs_linkedin_url: (await standIns.records('person'))[1]?.['network_url'],
  });
  await standIns.setting({ faults: [{ kind: 'reset-after', times: 1 }] });
  const record = `contacts/${id}`;
  const enriched = await run('enrich', record, '--yes', '--json');
  expect([enriched.code, enriched.json()]).toMatchObject([EXIT.refused, { code: 'charge-unknown' }]);
  const [doubt] = (await run('doubts', 'list', '--json')).json() as unknown as { questionKey: string }[];
  expect(doubt).toMatchObject({ record, credits: 3 });
  expect((await run('doubts', 'list')).out).toContain(record);
  expect((await run('explain', record, '--json')).json()).toMatchObject({
    doubts: [{ questionKey: doubt?.questionKey, credits: 3 }],
  });
  const again = await run('enrich', record, '--yes');
  expect([again.code, again.out]).toEqual([EXIT.refused, expect.stringContaining('doubts list')]);
  const planned = await run('enrich', record, '--dry-run', '--json');
  expect(planned.json()).toMatchObject({ doubt: doubt?.questionKey });
  expect((await run('enrich', record, '--dry-run')).out).toContain('doubts list');
});

it('the charges of a record name it as a person does', async () => {
  const { code, out } = await run('spend', 'charges', '--record', domain);
  expect([code, out]).toEqual([0, expect.stringContaining(`companies/${companyId}`)]);
  const { json } = await run('spend', 'charges', '--record', domain, '--json');
  expect(json()).toMatchObject({ charges: [{ record: `companies/${companyId}` }] });
  const { out: csv } = await run('spend', 'charges', '--record', domain, '--csv');
  expect(csv).toContain(`companies/${companyId}`);
});

it('tells what a retry has written after HubSpot refused the values', async () => {
  const url = (await standIns.records('person'))[2]?.['network_url'];
  const record = `contacts/${await create('contacts', { hs_linkedin_url: url })}`;
  const faults = [{ kind: 'status', status: 400, rate: 1, path: 'batch/update' }];
  await standIns.hubSpot('PUT', '/_sandbox/settings', { faults });
  const refused = await run('enrich', record, '--yes', '--json');
  expect([refused.code, refused.json()]).toMatchObject([EXIT.refused, { code: 'HUBSPOT_REFUSES' }]);
  await standIns.hubSpot('PUT', '/_sandbox/settings', { faults: [] });
  const retried = await run('enrich', record, '--json');
  expect([retried.code, retried.json()]).toMatchObject([EXIT.ok, { outcome: 'enriched', credits: 0 }]);
});
