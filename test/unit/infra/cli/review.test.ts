import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCsv, startStandIns } from '../../../harness/console.ts';
import { profileUrlOf, somePerson } from '../../../harness/people.ts';

const standIns = await startStandIns({}, { hasWorkers: false });
const ids: string[] = [];
const run = (...words: string[]) =>
  standIns.run(words, { env: { POLICY: join(standIns.path, 'policy.ts') } });

/** Three contacts were looked at under a policy in shadow. */
const { dataService, create } = standIns;
const first = somePerson({ dataService });
for (let nth = 0; nth < 3; nth += 1) {
  const hs_linkedin_url = profileUrlOf(somePerson({ dataService }, nth));
  ids.push(await create('contacts', { hs_linkedin_url }));
}
const policy = { mode: 'shadow', budgets: { perDay: 200 } };
await writeFile(join(standIns.path, 'policy.ts'), `export default ${JSON.stringify(policy)};\n`);
await run('setup');
for (const id of ids) await run('enrich', `contacts/${id}`, '--yes');
afterAll(() => standIns.stop());

const idOf = (nth: number) => `contacts/${ids[nth]}/proposal`;
const listed = async () =>
  ((await run('review', 'list', '--json')).json() as unknown as { id: string }[]).map(({ id }) => id);

describe('review', () => {
  it('lists what is undecided, without a value', async () => {
    expect((await listed()).sort()).toEqual([idOf(0), idOf(1), idOf(2)].sort());
    const { out } = await run('review', 'list');
    expect(out).toContain('jobtitle');
    expect(out).not.toContain(first.lastName);
    const [head, ...rows] = readCsv((await run('review', 'list', '--kind', 'proposal', '--csv')).out);
    expect([head?.[0], rows.length]).toEqual(['id', 3]);
    expect((await run('review', 'list', '--kind', 'contradiction', '--json')).json()).toEqual([]);
  });

  it('exports what would be written, value by value, and changes nothing', async () => {
    const [head, ...rows] = readCsv((await run('review', 'export')).out);
    expect(head).toEqual(['id', 'since', 'reason', 'about', 'property', 'now', 'proposed']);
    const own = rows.filter(([id]) => id === idOf(0)).map(([, , , , ...change]) => change);
    expect(own).toContainEqual(['jobtitle', '', first.job.title]);
    const json = (await run('review', 'export', '--kind', 'contradiction', '--json')).json();
    expect(json).toEqual([]);
    expect(await listed()).toHaveLength(3);
  });

  it('accepts one only with consent, and says what was written; it is explained and can be undone', async () => {
    const refused = await run('review', 'accept', idOf(0));
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--yes')]);
    const ran = await run('review', 'accept', idOf(0), '--yes', '--json');
    const [accepted] = ran.json() as unknown as unknown[];
    expect(accepted).toMatchObject({
      record: `contacts/${ids[0]}`,
      result: 'done',
      code: 'matched',
      kept: [],
      written: expect.arrayContaining(['jobtitle']),
    });
    expect((await run('explain', `contacts/${ids[0]}`)).out).toContain(idOf(0));
    expect((await run('explain', `contacts/${ids[0]}`, '--json')).json()).toMatchObject({
      review: [{ id: idOf(0), state: 'done' }],
      now: { jobtitle: 'ours' },
    });
    const restored = expect.arrayContaining([expect.objectContaining({ property: 'jobtitle' })]);
    expect((await run('undo', `contacts/${ids[0]}`, '--yes', '--json')).json()).toMatchObject({
      records: [{ restored }],
    });
    const again = await run('review', 'accept', idOf(0), '--yes', '--json');
    expect([again.code, again.json()]).toEqual([4, { error: expect.objectContaining({ code: 'not-open' }) }]);
  });

  it('rejects one, and accepts the rest at once', async () => {
    expect((await run('review', 'reject', idOf(1), '--json')).json()).toEqual({
      id: idOf(1),
      state: 'rejected',
    });
    expect((await run('review', 'reject', idOf(1))).code).toBe(4);
    expect((await run('review', 'accept', idOf(1), '--yes')).code).toBe(4);
    const { out } = await run('review', 'accept', '--all', '--kind', 'proposal', '--yes');
    expect(out).toContain(`contacts/${ids[2]}`);
    expect(out).not.toContain(`contacts/${ids[1]}`);
    expect(await listed()).toEqual([]);
  });

  it.each([
    [['review', 'accept'], 2],
    [['review', 'accept', '--all'], 2],
    [['review', 'accept', 'contacts/1'], 2],
    [['review', 'reject', 'contacts/1/opinion'], 2],
    [['review', 'reject', 'contacts/99999/proposal'], 4],
  ])('refuses %j', async (words, code) => {
    expect((await run(...words)).code).toBe(code);
  });
});
