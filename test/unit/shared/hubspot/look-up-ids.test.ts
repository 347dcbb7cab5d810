import { describe, expect, it } from 'vitest';
import { contact, createFakeHubSpot, type FakeAnswer } from './fake-hubspot.ts';

const NOT_FOUND = 'OBJECT_NOT_FOUND';
const found = (...ids: string[]) => ids.map((id) => ({ id, properties: {} }));

async function lookUp(answer: FakeAnswer, ids: readonly string[] = ['1', '2', '3']) {
  const hubspot = createFakeHubSpot([contact(1)]);
  hubspot.interruptions.push(answer);
  const looked = await hubspot.client().lookUpIds({ objectType: 'contacts', ids, archived: false });
  expect(hubspot.requests).toHaveLength(1);
  return { found: [...looked.found], notFound: [...looked.notFound] };
}

const errors = (...all: { category: string; ids?: string[] }[]) =>
  all.map(({ category, ids }) => ({ category, message: 'text', ...(ids && { context: { ids } }) }));

describe('looking ids up, in one request', () => {
  it('counts only ids as missing that HubSpot names as not found', async () => {
    const body = { results: found('1'), errors: errors({ category: NOT_FOUND, ids: ['2'] }) };
    expect(await lookUp({ status: 207, body })).toEqual({ found: ['1'], notFound: ['2'] });
  });

  it('follows merges', async () => {
    const winner = { id: '9', properties: { hs_merged_object_ids: '2;7' } };
    const body = { results: [winner, ...found('1')], errors: errors({ category: NOT_FOUND, ids: ['3'] }) };
    expect(await lookUp({ status: 207, body })).toEqual({ found: ['2', '1'], notFound: ['3'] });
  });

  it('asks for the archive by the query', async () => {
    const hubspot = createFakeHubSpot([contact(1)]);
    await hubspot.client().lookUpIds({ objectType: 'contacts', ids: ['1'], archived: true });
    expect(new URL(hubspot.requests[0]?.url ?? '').searchParams.get('archived')).toBe('true');
  });

  it.each([
    ['nothing is said of it', { results: found('1', '3') }],
    [
      'another error names it too',
      {
        results: [],
        errors: errors({ category: NOT_FOUND, ids: ['2'] }, { category: 'INTERNAL_ERROR', ids: ['2'] }),
      },
    ],
    [
      'an error names no id',
      { results: [], errors: errors({ category: NOT_FOUND, ids: ['2'] }, { category: 'INTERNAL_ERROR' }) },
    ],
    [
      'a result is a record that was not asked for',
      { results: found('1', '9'), errors: errors({ category: NOT_FOUND, ids: ['2'] }) },
    ],
    [
      'a result cannot be read',
      { results: [{ properties: {} }], errors: errors({ category: NOT_FOUND, ids: ['2'] }) },
    ],
    [
      'it is among the results as well',
      { results: found('2'), errors: errors({ category: NOT_FOUND, ids: ['2'] }) },
    ],
  ])('an id is not missing where %s', async (_, body) => {
    expect((await lookUp({ status: 207, body })).notFound).toEqual([]);
  });
});
