import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { CliError, EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns({}, { hasWorkers: false });
const records: string[] = [];
const run = (...words: string[]) => standIns.run(words);

/** Companies that were enriched by commands, in a data folder that nobody else works in. */
const { dataService, create } = standIns;
for (const index of [3, 4]) {
  const domain = dataService.world.companies[index]?.domains[0];
  records.push(`companies/${await create('companies', { domain })}`);
}
await run('setup');
for (const record of records)
  expect((await run('enrich', record, '--yes', '--json')).json()).toMatchObject({ outcome: 'enriched' });
afterAll(() => standIns.stop());

const RECALL = ['privacy', 'recall', '--source', 'data-service'];

let written = 0;

async function withPolicy(privacy: object): Promise<string> {
  const path = join(standIns.path, `privacy-policy-${++written}.mjs`);
  const policy = { version: 'privacy', budgets: { perDay: 200 }, privacy };
  await writeFile(path, `export default ${JSON.stringify(policy)};`);
  return path;
}

describe('privacy recall', () => {
  it('changes nothing where nobody agrees', async () => {
    const ran = await standIns.run(RECALL, { answer: 'n' });
    expect(ran.asked).toHaveLength(1);
    expect((await run('explain', records[0] ?? '', '--json')).json()).toMatchObject({
      now: { city: 'ours' },
    });
  });

  it('stops at Ctrl-C before its first batch, names the command that continues, and continues', async () => {
    const stopped = new AbortController();
    const printed: string[] = [];
    const err = (text: string) => {
      printed.push(text);
      // The command begins its work right after this.
      if (text.includes('privacy recall --source'))
        stopped.abort(new CliError('stopped', 'Stopped.', { exit: EXIT.failed }));
    };
    const io = { err, signal: stopped.signal };
    const ran = await standIns.run(RECALL, { answer: 'y', io });
    expect(ran.code).toBe(EXIT.failed);
    expect(printed.at(-1)).toMatch(/privacy recall --source data-service --to \S+Z/);
    const again = await run(...RECALL, '--yes', '--json');
    expect(again.code).toBe(EXIT.ok);
    expect(again.json()).toMatchObject({
      source: 'data-service',
      from: '1970-01-01T00:00:00Z',
      to: expect.any(String),
      answers: expect.any(Number),
      open: [],
    });
    expect((await run('explain', records[0] ?? '', '--json')).json()).not.toMatchObject({
      now: { city: 'ours' },
    });
    const later = await run(...RECALL, '--from', '2026-11-01', '--yes', '--json');
    expect(later.json()).toMatchObject({ from: '2026-11-01T00:00:00Z', answers: 0, values: 0, open: [] });
  });
});

const WRONG = {
  retention: {
    contacts: [
      { name: 'gone', when: [{ property: 'no_such_property', blank: true }], days: 30 },
      { name: 'all', days: 300 },
      { name: 'late', when: [{ property: 'country', in: ['Germany'] }], days: 30 },
    ],
    companies: [
      {
        name: 'none',
        when: [
          { property: 'city', blank: true },
          { property: 'city', filled: true },
        ],
        days: 30,
      },
    ],
  },
  notice: [{ name: 'EU', when: [{ property: 'no_country', in: ['Germany'] }] }],
};

it.each([[['policy', 'check']], [['doctor']]])(
  'policy check and doctor %j names rules that cannot work',
  async (words) => {
    const { code, out } = await run(...words, '--policy', await withPolicy(WRONG));
    expect(code).toBe(EXIT.failed);
    for (const name of [
      'no_such_property',
      '"gone"',
      '"late"',
      '"all"',
      '"EU"',
      'no_country',
      'policy.privacy.notice',
    ])
      expect(out).toContain(name);
  },
);

it('privacy notices lists a forgotten person apart, as a contact to delete in HubSpot', async () => {
  const people = await standIns.records('person');
  const contacts: string[] = [];
  for (const email of people
    .slice(0, 20)
    .flatMap((one) => one['email'] ?? [])
    .slice(-2)) {
    const id = await standIns.create('contacts', { email });
    await standIns.run(['enrich', `contacts/${id}`, '--yes']);
    const inputs = [{ id, properties: { enrichment_notice_due: '2026-01-31' } }];
    await standIns.hubSpot('POST', '/crm/objects/2026-09/contacts/batch/update', { inputs });
    contacts.push(`contacts/${id}`);
  }
  // HubSpot's search lags behind its writes.
  await standIns.clock.sleep(MINUTE_MS);
  const [kept = '', forgotten = ''] = contacts;
  const listed = async () => (await standIns.run(['privacy', 'notices', '--overdue', '--json'])).json();
  expect(await listed()).toMatchObject({ due: 2, overdue: 2, forgotten: [] });
  await standIns.run(['forget', forgotten, '--yes']);
  expect(await listed()).toMatchObject({
    due: 1,
    overdue: 1,
    notices: [{ contact: kept }],
    forgotten: [forgotten],
  });
  expect((await standIns.run(['privacy', 'notices', '--csv'])).out).not.toContain(forgotten);
});
