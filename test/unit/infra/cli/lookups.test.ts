import { afterAll, describe, expect, it } from 'vitest';
import { readCsv, startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns();

const needed = ['network_url', 'email', 'mobile_number', 'title', 'city', 'organizations.primary_domain'];
const all = await standIns.records('person');
const people = all.filter((one) => needed.every((name) => one[name] !== undefined));
const companies = await standIns.records('company');
const [person = {}, ...others] = people;
afterAll(() => standIns.stop());

const field = (record: Record<string, string> | undefined, name: string) => record?.[name] ?? '';

const [a, b, c] = others;
const WORDS = {
  profile: ['profile', field(person, 'network_url'), '--email', '--phone'],
  company: ['company', field(companies[0], 'primary_domain'), '--funding', '--technology', '--contacts'],
  email: ['email', field(a, 'email')],
  phone: ['phone', field(b, 'mobile_number')],
  person: [
    ...['person', '--domain', field(c, 'organizations.primary_domain'), '--first', field(c, 'first_name')],
    ...['--last', field(c, 'last_name'), '--title', field(c, 'title'), '--location', field(c, 'city')],
    ...['--email', '--phone'],
  ],
};

describe('lookup', () => {
  it('answers each of its five kinds with the record, at its price', async () => {
    const kinds: [string[], string, number][] = [
      [WORDS.profile, field(person, 'email'), 6],
      [WORDS.company, field(companies[0], 'name'), 7],
      [WORDS.email, field(a, 'name'), 1],
      [WORDS.phone, field(b, 'name'), 1],
      [WORDS.person, field(c, 'name'), 6],
    ];
    for (const [words, shown, credits] of kinds) {
      const before = await standIns.bill();
      const { code, out } = await standIns.run(['lookup', ...words, '--yes']);
      expect(out).toContain(shown);
      expect(out.trimEnd().split('\n').at(-1)).toContain(` ${credits} credit`);
      expect(code).toBe(0);
      expect((await standIns.bill()) - before).toBe(credits);
    }
  });

  it.each(Object.entries(WORDS))(
    '%s costs nothing a second time, needs no agreement then, and says that it came from the store',
    async (_, words) => {
      const before = await standIns.bill();
      const again = await standIns.run(['lookup', ...words, '--wait', '0', '--json']);
      expect(again.code).toBe(0);
      expect(again.json()).toMatchObject({ found: true, credits: 0, fromStore: true });
      const [header = [], row = [], ...rest] = readCsv(
        (await standIns.run(['lookup', ...words, '--csv'])).out,
      );
      expect([row.length, rest]).toEqual([header.length, []]);
      expect(await standIns.bill()).toBe(before);
    },
  );

  it('prints CSV with every field', async () => {
    const { out } = await standIns.run(['lookup', ...WORDS.company, '--csv']);
    const [header = [], row = []] = readCsv(out);
    expect(header).toContain('funding.total');
    const locations = JSON.parse(row[header.indexOf('locations')] ?? '') as { city: string }[];
    const expected = companies[0]?.['locations'] as unknown as { city: string }[];
    expect(locations.map(({ city }) => city)).toEqual(expected.map(({ city }) => city));
  });

  it('ends with 4 where there is no match, and remembers it', async () => {
    const words = ['lookup', 'email', 'nobody.there@unknown-firm.com', '--json'];
    const first = await standIns.run([...words, '--yes']);
    expect(first.json()).toMatchObject({ found: false, record: null, credits: 1 });
    expect(first.code).toBe(4);
    const second = await standIns.run(words);
    expect(second.json()).toMatchObject({ found: false, credits: 0, fromStore: true });
    expect(second.code).toBe(4);
  });
});

describe('agreement to the price', () => {
  const words = () => ['lookup', 'email', field(others[4], 'email')];

  it('is asked for at a terminal, with price and budget; no is no', async () => {
    const before = await standIns.bill();
    const { code, asked, json } = await standIns.run([...words(), '--json'], { answer: 'n' });
    expect(asked).toEqual([expect.stringMatching(/ 1 credit, \d+ /)]);
    expect(json()).toMatchObject({ error: { code: 'declined' } });
    expect(code).toBe(1);
    expect(await standIns.bill()).toBe(before);
  });

  it('is refused where nobody can be asked', async () => {
    const before = await standIns.bill();
    const { code, err, json } = await standIns.run([...words(), '--json']);
    expect(json()).toMatchObject({ error: { code: 'not-asked' } });
    expect(err).toContain('--yes');
    expect(code).toBe(2);
    expect(await standIns.bill()).toBe(before);
  });

  it('spends when it is given', async () => {
    const before = await standIns.bill();
    const { code } = await standIns.run(words(), { answer: 'y' });
    expect(code).toBe(0);
    expect(await standIns.bill()).toBe(before + 1);
  });
});

it.each([
  [['lookup', 'email', 'nobody'], 'refused-by-service', '<address>'],
  [['lookup', 'profile', 'https://network.example/company/acme'], 'refused-by-service', '<url>'],
  [['lookup', 'phone', 'none'], 'identifies-nobody', '<number>'],
  [['lookup', 'phone'], 'missing-argument', 'number'],
  [['lookup', 'person', '--first', 'Jane'], 'missing-option', '--domain'],
  [['lookup', 'person', '--domain', 'acme.example', '--first', ' '], 'empty-text', '--first'],
  [['lookup', 'email', 'a@b.com', '--csv'], 'conflicting-options', '--csv'],
  [['check'], 'unknown-command', 'check'],
  [['spend', '--stack', 'crm', '--policy', 'policy.ts'], 'policy-of-stack', '--policy'],
])('wrong arguments end with 2, name the option and ask nothing: %s', async (words, refused, option) => {
  const before = await standIns.bill();
  const { code, json } = await standIns.run([...words, '--json']);
  const { error } = json() as { error: { code: string; params?: { option: string } } };
  expect([code, error.code, error.params?.option]).toEqual([2, refused, option]);
  expect(await standIns.bill()).toBe(before);
});
