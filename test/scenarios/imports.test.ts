import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
  await stage.start().line(/^Serving until/);
});
afterAll(() => stage.close());

interface Listed {
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

const create = async (objectType: string, properties: object) =>
  String((await stage.atHubSpot('POST', 'create', { objectType, properties, source: 'IMPORT' }))['id']);

async function statuses(): Promise<Map<string, string | undefined>> {
  const { records } = await stage.atHubSpot('GET', 'records');
  return new Map((records as Listed[]).map(({ id, properties }) => [id, properties['enrichment_status']]));
}

const OFFICES = ['info', 'sales', 'noreply', 'support', 'office', 'kontakt', 'billing', 'webmaster'];
const PAGES = ['facebook.com/firm', 'linktr.ee/firm', 'instagram.com/firm', 'firm.wixsite.com/home'];

it('of an import of 200 records pays for none of the offices and pages in it', async () => {
  const people = await stage.people();
  const emails = people.flatMap(({ email }) => (typeof email === 'string' ? [email] : [])).slice(0, 20);
  const nobody = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const [office, page] = [OFFICES[index % OFFICES.length], PAGES[index % PAGES.length]];
      return index % 2 === 0
        ? create('contacts', { email: `${office}@firm-${index}.com` })
        : create('companies', { name: `Firm ${index}`, website: `https://www.${page}${index}` });
    }),
  );
  const known = await Promise.all(emails.map((email) => create('contacts', { email })));
  const nameless = await Promise.all(
    Array.from({ length: 140 }, (_, index) => create('contacts', { firstname: `Somebody ${index}` })),
  );
  await vi.waitFor(
    async () => {
      const now = await statuses();
      expect(nobody.concat(nameless).map((id) => now.get(id))).toEqual(Array(180).fill('skipped'));
      expect(known.map((id) => now.get(id))).toEqual(Array(20).fill('enriched'));
    },
    { timeout: 150_000, interval: 1_000 },
  );
  expect(await stage.bill()).toBe(20);
});

it('takes an address in punycode and the same in letters for one', async () => {
  const puny = await create('companies', { domain: 'xn--mnchen-werk-thb.de' });
  await vi.waitFor(async () => expect((await statuses()).get(puny)).toBeDefined(), { timeout: 100_000 });
  const billed = await stage.bill();
  const [letters, upper] = [
    await create('companies', { domain: 'münchen-werk.de' }),
    await create('companies', { website: 'https://WWW.MÜNCHEN-WERK.DE/impressum' }),
  ];
  await vi.waitFor(
    async () => {
      const now = await statuses();
      expect([letters, upper].map((id) => now.get(id))).toEqual(['unmatched', 'unmatched']);
    },
    { timeout: 100_000 },
  );
  expect(await stage.bill()).toBe(billed);
});
