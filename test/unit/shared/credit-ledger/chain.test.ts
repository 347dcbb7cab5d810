import { describe, expect, it } from 'vitest';
import { CHAIN_START, chain, hashOf } from '#inside/credit-ledger/chain.ts';
import { canonical, type LedgerEntry } from '#shared/credit-ledger';
import { digest, openBooks, post, reserve } from './books.ts';

async function twoEntries(): Promise<[LedgerEntry, LedgerEntry]> {
  const books = openBooks();
  return [await books.append(reserve('q:1')), await books.append(post('q:1'))];
}

const unhashed = ({ hash: _, ...rest }: LedgerEntry) => rest;

describe('the chain of hashes', () => {
  it('begins with zeros and ties each entry to the one before it', async () => {
    const [first, second] = await twoEntries();
    expect(CHAIN_START).toBe('0'.repeat(64));
    expect(first.previousHash).toBe(CHAIN_START);
    expect(second.previousHash).toBe(first.hash);
    expect(second.hash).toMatch(/^[0-9a-f]{64}$/);
  });

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

  it('depends on every field, also deep inside', async () => {
    const [first] = await twoEntries();
    const [open] = first.open;
    const changed: Partial<LedgerEntry>[] = [
      { seq: 2 },
      { account: 'other' },
      { reason: 'new' },
      { amountCredits: 11 },
      { previousHash: '1'.repeat(64) },
      { open: [] },
      { open: open ? [{ ...open, fence: 1 } as typeof open] : [] },
      { totals: { ...first.totals, lifetime: { ...first.totals.lifetime, granted: 1 } } },
    ];
    const hashes = changed.map((change) => hashOf(unhashed({ ...first, ...change }), digest));
    expect(new Set([first.hash, ...hashes]).size).toBe(changed.length + 1);
  });

  it('is over plain JSON with its keys in order', () => {
    expect(canonical({ b: [1, { d: null, c: 'x"y' }], a: undefined, A: true })).toBe(
      '{"A":true,"b":[1,{"c":"x\\"y","d":null}]}',
    );
  });
});
