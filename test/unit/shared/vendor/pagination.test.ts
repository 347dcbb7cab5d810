import { describe, expect, it } from 'vitest';
import { pagesOf, type SearchOperation } from '#shared/vendor';
import { clientOver, created, success } from './fake-service.ts';

const FILTER = { person_titles: ['CTO'] };
const DOMAIN = { company_domain: 'acme.example' };

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

type Client = ReturnType<typeof clientOver>['client'];

function pages<Name extends SearchOperation>(
  client: Client,
  operation: Name,
  params: object,
  maxResults: number,
) {
  return pagesOf({ operation, maxResults, ask: (page) => client.call(operation, { ...params, ...page }) });
}

function numbered(from: number, to: number) {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: String(from + index) }));
}

/** A service that knows so many people, companies or employees, and turns pages as specified. */
function serviceWith(
  total: number,
  pagination: (page: { offset: number; limit: number }) => object | undefined,
) {
  const sizes: number[] = [];
  const made = clientOver((request) => {
    if (request.method === 'POST') {
      const { page, per_page } = JSON.parse(request.body ?? '');
      const found = numbered((page - 1) * per_page, Math.min(total, page * per_page));
      sizes.push(found.length);
      return created(found);
    }
    const query = new URL(request.url).searchParams;
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const found = numbered(offset, Math.min(total, offset + limit));
    sizes.push(found.length);
    return success(found, { company_info: {}, pagination: pagination({ offset, limit }) });
  });
  return { ...made, sizes };
}

function honest(total: number) {
  return serviceWith(total, ({ offset, limit }) => ({
    total,
    limit,
    offset,
    has_more: offset + limit < total,
  }));
}

describe('pages by number', () => {
  it.each<[number, number, number[]]>([
    [1_000, 1, [1]],
    [1_000, 20, [20]],
    [1_000, 100, [100]],
    [1_000, 101, [50, 50]],
    [1_000, 250, [83, 83, 83]],
    [1_000, 300, [100, 100, 100]],
    [120, 300, [100, 20]],
    [200, 300, [100, 100, 0]],
    [0, 300, [0]],
  ])('of %i results, at most %i: %j', async (total, maxResults, expected) => {
    const { client, sizes } = honest(total);
    const people = (await collect(pages(client, 'searchPeople', FILTER, maxResults))).flatMap(
      ({ records }) => records,
    );
    expect(sizes).toEqual(expected);
    expect(people.map((person) => person['id'])).toEqual(numbered(0, people.length).map(({ id }) => id));
  });

  it('never pay for more than allowed, whatever the maximum', async () => {
    for (let maxResults = 1; maxResults <= 420; maxResults += 1) {
      const { client, sizes } = honest(10_000);
      await collect(pages(client, 'searchCompanies', FILTER, maxResults));
      const paid = sizes.reduce((sum, size) => sum + size, 0);
      expect(paid).toBeLessThanOrEqual(maxResults);
      expect(paid).toBeGreaterThan(maxResults - sizes.length);
    }
  });

  it('end after a page with more results than asked for, which are paid for too', async () => {
    const { client, requests } = clientOver(() => created(numbered(0, 150)));
    await collect(pages(client, 'searchCompanies', FILTER, 200));
    expect(requests).toHaveLength(1);
  });
});

describe('pages by offset', () => {
  it.each<[number, number, number[]]>([
    [1_000, 1, [1]],
    [1_000, 250, [100, 100, 50]],
    [120, 300, [100, 20]],
    [200, 300, [100, 100]],
    [0, 300, [0]],
  ])('of %i results, at most %i: %j', async (total, maxResults, expected) => {
    const { client, sizes } = honest(total);
    const employees = (await collect(pages(client, 'searchEmployees', DOMAIN, maxResults))).flatMap(
      ({ records }) => records,
    );
    expect(sizes).toEqual(expected);
    expect(employees.at(-1)?.['id']).toBe(numbered(0, employees.length).at(-1)?.id);
  });

  it('end at an empty page whatever has_more says', async () => {
    const { client, sizes } = serviceWith(100, () => ({ has_more: true }));
    await collect(pages(client, 'searchEmployees', DOMAIN, 300));
    expect(sizes).toEqual([100, 0]);
  });
});

describe('paging', () => {
  it('asks for nothing beyond what is consumed', async () => {
    const { client, requests } = honest(1_000);
    for await (const page of pages(client, 'searchPeople', FILTER, 300)) if (page.records.length > 0) break;
    expect(requests).toHaveLength(1);
  });

  it('keeps the filters and options of the search on every page', async () => {
    const { client, requests } = honest(1_000);
    await collect(pages(client, 'searchPeople', { ...FILTER, include_email: 'include' }, 200));
    expect(requests.map((request) => JSON.parse(request.body ?? ''))).toEqual([
      { ...FILTER, include_email: 'include', page: 1, per_page: 100 },
      { ...FILTER, include_email: 'include', page: 2, per_page: 100 },
    ]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d as a maximum',
    async (maxResults) => {
      const { client, requests } = honest(1_000);
      await expect(collect(pages(client, 'searchPeople', FILTER, maxResults))).rejects.toThrow('maxResults');
      await expect(collect(pages(client, 'searchEmployees', DOMAIN, maxResults))).rejects.toThrow(
        'maxResults',
      );
      expect(requests).toHaveLength(0);
    },
  );
});
