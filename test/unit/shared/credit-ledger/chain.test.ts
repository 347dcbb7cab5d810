import { describe, expect, it } from 'vitest';
import { chain, hashOf } from '#inside/credit-ledger/chain.ts';
import { canonical, type LedgerEntry } from '#shared/credit-ledger';
import { digest, openBooks, post, reserve } from './books.ts';

async function twoEntries(): Promise<[LedgerEntry, LedgerEntry]> {
  const books = openBooks();
  return [await books.append(reserve('q:1')), await books.append(post('q:1'))];
}

const unhashed = ({ hash: _, ...rest }: LedgerEntry) => rest;

describe('the chain of hashes', () => {
  it('numbers and ties a draft by what stands before it', async () => {
    const [first, second] = await twoEntries();
    const { account, seq: _, hash: __, previousHash: ___, ...draft } = second;
    expect(chain(draft, { account, previous: first, digest })).toEqual(second);
    const other = chain(draft, { account, previous: { ...first, hash: 'another' }, digest });
    expect(other.hash).not.toBe(second.hash);
  });

  it('does not depend on the order of fields, nor on fields that are undefined', async () => {
    const [first] = await twoEntries();
    const turned = Object.fromEntries(Object.entries({ ...first, reason: undefined }).reverse());
    expect(hashOf(unhashed(turned as unknown as LedgerEntry), digest)).toBe(first.hash);
  });

  it('is over plain JSON with its keys in order', () => {
    expect(canonical({ b: [1, { d: null, c: 'x"y' }], a: undefined, A: true })).toBe(
      '{"A":true,"b":[1,{"c":"x\\"y","d":null}]}',
    );
  });
});
