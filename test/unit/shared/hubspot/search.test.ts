import { describe, expect, it } from 'vitest';
import { contact, createFakeHubSpot } from './fake-hubspot.ts';

const contacts = (count: number) => Array.from({ length: count }, (_, index) => contact(index + 1));
const potters = [{ filters: [{ propertyName: 'jobtitle', operator: 'EQ', value: 'Potter' }] }] as const;
async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const everything = { objectType: 'contacts', properties: ['jobtitle'], filterGroups: [] } as const;

describe('a search page', () => {
  it('is asked for with filters and sort in the documented form', async () => {
    const hubspot = createFakeHubSpot();
    const sort = { propertyName: 'createdate', direction: 'DESCENDING' } as const;
    const filterGroups = [
      {
        filters: [
          { propertyName: 'email', operator: 'IN', values: ['a', 'b'] },
          { propertyName: 'createdate', operator: 'BETWEEN', value: '1', highValue: '2' },
        ],
      },
    ] as const;
    await hubspot.client().search({ ...everything, filterGroups, sort, limit: 5 });
    expect(hubspot.bodies()[0]).toMatchObject({ filterGroups, sorts: [sort], limit: 5 });
  });

  it.each([
    { limit: 0 },
    { limit: 201 },
    { limit: 10, filterGroups: Array.from({ length: 6 }, () => potters[0]) },
    { limit: 10, filterGroups: [{ filters: Array.from({ length: 7 }, () => potters[0].filters[0]) }] },
  ])('beyond the limits is a bug: %j', async (excess) => {
    const searching = createFakeHubSpot()
      .client()
      .search({ ...everything, ...excess });
    await expect(searching).rejects.toThrow();
  });
});

describe('searching all', () => {
  it('keeps the filters on every page', async () => {
    const masons = Array.from({ length: 300 }, (_, at) =>
      contact(1_000 + at, { properties: { jobtitle: 'Mason' } }),
    );
    const hubspot = createFakeHubSpot([...contacts(250), ...masons]);
    const found = await collect(hubspot.client().searchAll({ ...everything, filterGroups: potters }));
    expect(found.length).toBe(250);
  });

  it('ends instead of going round when the order is not kept', async () => {
    const hubspot = createFakeHubSpot();
    const body = { total: 9, results: [{ id: '5', properties: {} }], paging: { next: { after: '1' } } };
    hubspot.interruptions.push({ status: 200, body }, { status: 200, body });
    const all = collect(hubspot.client().searchAll(everything));
    await expect(all).rejects.toMatchObject({ code: 'HUBSPOT_UNREADABLE_ANSWER' });
  });
});
