import { afterAll, describe, expect, it } from 'vitest';
import { startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns();

const needed = ['network_url', 'email', 'mobile_number'];
const people = await standIns.records('person');
const person = people.find((one) => needed.every((name) => one[name] !== undefined)) ?? {};
afterAll(() => standIns.stop());

const field = (name: string) => person[name] ?? '';

describe('forget', () => {
  it('is done only with consent', async () => {
    const { code, err } = await standIns.run(['forget', field('email')]);
    expect([code, err]).toEqual([2, expect.stringContaining('--yes')]);
    expect(err).toMatch(/^STAND-INS /);
    expect((await standIns.run(['forget', field('email')], { answer: 'n' })).code).toBe(1);
  });

  it('removes what was asked about a person, tells counts only, and nothing is asked about them again', async () => {
    const profile = ['lookup', 'profile', field('network_url'), '--email', '--phone', '--yes'];
    await standIns.run(profile);
    await standIns.run(['lookup', 'email', field('email'), '--yes']);
    const bill = await standIns.bill();
    const ran = await standIns.run(['forget', field('email').toUpperCase(), '--yes', '--json']);
    const counts = { records: [], answers: 1, entries: 0, identifiers: expect.any(Number) };
    expect(ran.json()).toEqual({ ...counts, isKnown: true });
    for (const name of ['email', 'name', 'network_url', 'mobile_number'])
      expect(ran.out.toLowerCase()).not.toContain(field(name).toLowerCase());
    for (const words of [profile, ['lookup', 'phone', field('mobile_number'), '--yes']]) {
      const { code, json } = await standIns.run([...words, '--json']);
      expect([code, json()]).toEqual([4, { error: expect.objectContaining({ code: 'forgotten' }) }]);
    }
    expect(await standIns.bill()).toBe(bill);
  });

  it('tells that nobody is known by an address, and never looks it up', async () => {
    const address = field('email').replace('@', '.unknown@');
    const ran = await standIns.run(['forget', address, '--yes', '--json']);
    expect(ran.json()).toMatchObject({ records: [], isKnown: false });
    const looked = await standIns.run(['lookup', 'email', address, '--yes', '--json']);
    expect(looked.json()).toMatchObject({ error: { code: 'forgotten' } });
  });

  it.each([
    ['a company', 'companies/12', 2],
    ['a domain', 'acme-sample.com', 2],
    ['a record that nothing is held of', 'contacts/999999999', 4],
  ])('refuses %s', async (_, words, code) => {
    expect((await standIns.run(['forget', words, '--yes'])).code).toBe(code);
  });
});
