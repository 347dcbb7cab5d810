import { describe, expect, it } from 'vitest';
import { questionItemSchema } from '#inside/questions/schemas.ts';
import { packAnswer } from '#inside/questions/stored-answers.ts';
import { brotliPacking } from '#shared/kernel/adapters';
import type { Question } from '#shared/questions';
import { found, openGateway } from './asking.ts';
import { noise } from './noise.ts';

const services = { packing: brotliPacking };

/** A page of 1 MB, which packing makes no smaller. */
const DATA = Array.from({ length: 100 }, (_, index) => ({ id: index, about: noise(10_000, index) }));
const PAGE = { pagination: { has_more: true }, data: DATA };

const SEARCH: Question = {
  operation: 'searchPeople',
  by: { search: '{"per_page":100}' },
  options: [],
};

function pack(operation: Question['operation'], record: Readonly<Record<string, unknown>>) {
  const { packed = '', isCut } = packAnswer(services, { operation, record });
  return { size: packed.length, isCut, kept: Object(brotliPacking.unpack(packed)) };
}

describe('a packed answer', () => {
  it('is whole while there is room, and a search has more of it than one of several answers', () => {
    const record = { about: noise(100_000) };
    expect(pack('searchPeople', record)).toMatchObject({ isCut: undefined, kept: record });
    expect(pack('companyProfile', record)).toMatchObject({ isCut: true, kept: {} });
  });

  it('keeps the first entries of a list that is too large, and all other fields', () => {
    const { size, isCut, kept } = pack('searchPeople', PAGE);
    expect({ isCut, pagination: kept.pagination }).toEqual({ isCut: true, pagination: PAGE.pagination });
    expect(kept.data).toEqual(DATA.slice(0, kept.data.length));
    expect(kept.data.length).toBeGreaterThan(10);
    expect(size).toBeLessThanOrEqual(300_000);
  });

  it('fits, whatever the record is', () => {
    const groups = { a: { b: noise(500_000) }, list: [noise(500_000)], empty: [], text: noise(400_000) };
    expect(pack('companyProfile', groups)).toMatchObject({ isCut: true, kept: { empty: [] } });
  });
});

it('an answer of 1 MB through the gateway is charged once, found again, and marked as cut', async () => {
  const { ask, item, calls, kinds } = openGateway({ answers: [found(PAGE, 100)] });
  expect(await ask(SEARCH)).toMatchObject({ kind: 'found', record: PAGE, isCut: true, credits: 100 });
  const again = await ask(SEARCH);
  expect(again).toMatchObject({ kind: 'found', isCut: true, credits: 0 });
  const { data = [] } = again.kind === 'found' ? Object(again.record) : {};
  expect(data).toEqual(DATA.slice(0, data.length));
  expect(data.length).toBeGreaterThan(10);
  expect(calls).toHaveLength(1);
  expect(await kinds()).toEqual(['pending 100', 'posted 100']);
  expect(JSON.stringify(questionItemSchema.parse(await item(SEARCH))).length).toBeLessThan(400_000);
});
