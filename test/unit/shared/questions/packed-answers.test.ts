import { describe, expect, it } from 'vitest';
import { brotliPacking } from '#inside/kernel/packing.system.ts';
import { blankParts, packAnswer, unpackAnswer } from '#inside/questions/packed-answers.ts';
import type { Question } from '#inside/questions/question.ts';
import type { SideItem } from '#inside/questions/schemas.ts';
import { questionItemSchema } from '#inside/questions/schemas.ts';
import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import { found, NOON, openGateway } from './asking.ts';
import { noise } from './noise.ts';

function open() {
  const written: SideItem[] = [];
  const items = createMemoryItems<SideItem>();
  const write: typeof items.write = async (change) => {
    written.push(change.value);
    return items.write(change);
  };
  return { services: { sideItems: { ...items, write }, packing: brotliPacking }, written };
}

const LARGE = { data: [{ name: 'list', about: noise(1_000_000) }] };

describe('a packed answer', () => {
  it('lies in its item while there is room, a search with more of it than one of several answers', async () => {
    const { services, written } = open();
    const record = { about: noise(100_000) };
    const wish = { id: 'k:1', record, expiresAtMs: NOON };
    expect(await packAnswer(services, { ...wish, operation: 'searchPeople' })).toHaveProperty('packed');
    expect(written).toEqual([]);
    expect(await packAnswer(services, { ...wish, operation: 'companyProfile' })).toHaveProperty('parts');
  });

  it('is split where it is too large, each part and the item within what DynamoDB takes, and put together again', async () => {
    const { services, written } = open();
    const kept = await packAnswer(services, {
      id: 'k:1',
      operation: 'searchPeople',
      record: LARGE,
      expiresAtMs: NOON,
    });
    expect(kept.parts?.length).toBeGreaterThan(3);
    for (const part of written) expect(JSON.stringify(part).length).toBeLessThan(400_000);
    expect(JSON.stringify(kept).length).toBeLessThan(1_000);
    const answer = {
      kind: 'found',
      options: [],
      askedAtMs: 0,
      expiresAtMs: NOON,
      credits: 1,
      misses: 0,
    } as const;
    expect(await unpackAnswer(services, { ...answer, ...kept })).toEqual(LARGE);
    await blankParts(services, { ...answer, ...kept });
    expect(await unpackAnswer(services, { ...answer, ...kept })).toBeUndefined();
  });
});

describe('a large answer through the gateway', () => {
  const search: Question = {
    operation: 'searchPeople',
    parameters: { request: '{"per_page":100}' },
    options: [],
  };

  it('has its parts before its verdict, and is not paid for again', async () => {
    const { ask, item, ops, calls } = openGateway({ answers: [found(LARGE)] });
    expect(await ask(search)).toMatchObject({ kind: 'found', record: LARGE, credits: 1 });
    expect(ops.writes.indexOf('sideItems')).toBeLessThan(ops.writes.lastIndexOf('questions'));
    expect(await ask(search)).toMatchObject({ kind: 'found', record: LARGE, credits: 0 });
    expect(calls).toHaveLength(1);
    expect(JSON.stringify(questionItemSchema.parse(await item(search))).length).toBeLessThan(5_000);
  });

  it('of which a part is gone is asked anew', async () => {
    const opened = openGateway({ answers: [found(LARGE)] });
    await opened.ask(search);
    const answer = (await opened.item(search))?.answer;
    if (!answer) throw new Error('The answer was stored.');
    await blankParts(opened.services, answer);
    expect(await opened.ask(search)).toMatchObject({ kind: 'found', credits: 1 });
  });
});
