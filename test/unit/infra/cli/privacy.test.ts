import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns();

const folder = await mkdtemp(join(tmpdir(), 'privacy-'));
const people = await standIns.records('person');
const person = people.find((one) => one['network_url'] !== undefined && one['email'] !== undefined) ?? {};
const field = (name: string) => person[name] ?? '';
await standIns.run(['lookup', 'email', field('email'), '--yes']);
afterAll(async () => {
  await standIns.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('privacy subject', () => {
  it('shows what is held of a person, in words and as one JSON document', async () => {
    const { code, out } = await standIns.run(['privacy', 'subject', field('email').toUpperCase()]);
    expect(code).toBe(0);
    expect(out).toContain(field('network_url'));
    const ran = await standIns.run(['privacy', 'subject', field('email'), '--json']);
    expect(ran.json()).toMatchObject({
      records: [],
      answers: [{ source: 'data-service', operation: 'reverseEmail' }],
      requests: [{ sent: ['email'], purpose: 'manual' }],
      firstObtainedAt: expect.any(String),
    });
  });

  it('writes a file that only its owner may read, and replaces none', async () => {
    const path = join(folder, 'export.json');
    const words = ['privacy', 'subject', field('email'), '--json', '--out', path];
    const { code, out } = await standIns.run(words);
    expect([code, out]).toEqual([0, expect.stringContaining(path)]);
    expect(out).not.toContain(field('email'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ requests: [{ sent: ['email'] }] });
    const again = await standIns.run(words);
    expect([again.code, again.json()]).toEqual([
      2,
      { error: expect.objectContaining({ code: 'file-exists' }) },
    ]);
    const readable = join(folder, 'export.txt');
    await standIns.run(['privacy', 'subject', field('email'), '--out', readable]);
    const text = await readFile(readable, 'utf8');
    expect(text).toContain(field('network_url'));
    expect(text).not.toContain('…');
  });

  it.each([
    ['a company', 'companies/12', 2, 'not-a-person'],
    ['the mailbox of an office', 'info@acme-sample.com', 2, 'shared-mailbox'],
    ['an address that nothing is held of', 'nobody.there@acme-sample.com', 4, 'no-person'],
    ['a contact that nothing is held of', 'contacts/999999999', 4, 'no-person'],
  ])('refuses %s', async (_, words, exit, code) => {
    const ran = await standIns.run(['privacy', 'subject', words, '--json']);
    expect([ran.code, ran.json()]).toEqual([exit, { error: expect.objectContaining({ code }) }]);
  });

  it('says of a person of whom only the suppression list knows that the person was forgotten', async () => {
    const email = 'only.on.the.list@acme-sample.com';
    const error = async () => (await standIns.run(['privacy', 'subject', email, '--json'])).json()['error'];
    expect(await error()).toMatchObject({ code: 'no-person', params: { isForgotten: false } });
    await standIns.run(['forget', email, '--yes']);
    expect(await error()).toMatchObject({ code: 'no-person', params: { isForgotten: true } });
  });
});
