import { describe, expect, it } from 'vitest';
import { dropRecordLinks } from '#inside/questions/people/links.ts';
import { MAX_LINKS, type SideItem, sideItemSchema } from '#inside/questions/schemas.ts';
import { sideItemKind } from '#inside/questions/stored-kinds.ts';
import { nameForBuyer } from '#shared/crm';
import { forgetPerson, readLinks, rememberRecordIdentifiers } from '#shared/questions';
import { newRecordState } from '#shared/records';
import { OWNERS, type VersionedItems } from '#shared/store';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { openShelf } from '../privacy/shelf.ts';

const KEYS = { sure: ['aa'], likely: [] };
const record = (nth: number) => `contacts#${nth}`;
const records = (from: number, count: number) =>
  Array.from({ length: count }, (_, nth) => record(from + nth));
const key = (nth: number) => sideItemKind.key({ links: 'records', of: 'aa', nth });

/** As many full items as are told; all of their links are to records. */
async function fill(sideItems: VersionedItems<SideItem>, items: number) {
  for (let nth = 1; nth <= items; nth += 1) {
    const links = records((nth - 1) * MAX_LINKS, MAX_LINKS).map((key) => ({
      to: nameForBuyer(OWNERS.portal, key),
    }));
    const value = { kind: 'links', links, ...(nth < items && { more: {} }) } as const;
    await sideItems.write({ key: key(nth), value, expectedVersion: undefined });
  }
}

async function openFull(items: number) {
  const sideItems = createMemoryItems<SideItem>();
  await fill(sideItems, items);
  return { sideItems, owners: OWNERS, clock: createManualClock({ startMs: 0, autoAdvance: true }) };
}

describe('the links of one identifier', () => {
  const many = 2 * MAX_LINKS + 2;

  it('spill into further items, each within its bound, and are all found', async () => {
    const services = await openFull(2);
    await rememberRecordIdentifiers(services, record(many - 2), KEYS);
    await rememberRecordIdentifiers(services, record(many - 1), KEYS);
    expect([...(await readLinks(services, 'records', 'aa'))].sort()).toEqual(records(0, many).sort());
    for (const nth of [1, 2, 3])
      expect(sideItemSchema.parse((await services.sideItems.read(key(nth)))?.value)).toBeDefined();
    expect(await rememberRecordIdentifiers(services, record(0), KEYS)).toHaveLength(many - 1);
  });

  it('are gone from every item once the person is forgotten, and new ones are found again', async () => {
    const services = await openFull(3);
    await dropRecordLinks(services, 'aa');
    expect(await readLinks(services, 'records', 'aa')).toEqual([]);
    for (const nth of [1, 2, 3])
      expect((await services.sideItems.read(key(nth)))?.value).toMatchObject({ links: [] });
    await rememberRecordIdentifiers(services, record(1), KEYS);
    expect(await readLinks(services, 'records', 'aa')).toEqual([record(1)]);
  });

  it('lead a forgetting to a record in the last item', async () => {
    const { forgetting, records: stored } = openShelf();
    await fill(forgetting.sideItems, 1);
    await rememberRecordIdentifiers(forgetting, record(MAX_LINKS), KEYS);
    const last = String(MAX_LINKS);
    const state = { ...newRecordState('contacts', last), ownership: { jobtitle: { written: ['hash'] } } };
    await stored.write({ key: record(MAX_LINKS), value: state, expectedVersion: undefined });
    await forgetPerson(forgetting, ['aa']);
    expect((await stored.read(record(MAX_LINKS)))?.value).toMatchObject({ ownership: {} });
  });
});
