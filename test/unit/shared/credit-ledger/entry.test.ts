import { describe, expect, it } from 'vitest';
import { entryRow } from '#inside/credit-ledger/export.ts';
import { chain, hashOf } from '#inside/credit-ledger/verify.ts';
import { canonical, csvHeader, csvLine, type LedgerEntry } from '#shared/credit-ledger';
import { OWNERS } from '#shared/store';
import { digest } from '../../../harness/ledger-logs.ts';
import { openBooks, post, reserve } from './books.ts';

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

const HEADER =
  'account,seq,time,day,timeZone,kind,amountCredits,operation,purpose,record,reason,reservationId,questionKey,id,previousHash,hash,rule,askedBy\r\n';

async function posted(reason: string) {
  const books = openBooks();
  await books.append(reserve('q:1', { record: 'portal-1/contacts/7' }));
  return books.append({ ...post('q:1', 4), reason } as ReturnType<typeof post>);
}

async function adjusted(reason: string) {
  return openBooks().append({ kind: 'adjust', id: 'adjust-1', amountCredits: -3, reason });
}

describe('the export of an entry', () => {
  it('has a column for each field, without the balance', async () => {
    const entry = await posted('match');
    expect(entryRow(entry, OWNERS)).toStrictEqual({
      account: 'workspace',
      seq: 2,
      time: '2026-11-18T12:00:00.000Z',
      day: '2026-11-18',
      timeZone: 'Europe/Berlin',
      kind: 'posted',
      amountCredits: 4,
      operation: 'personProfile',
      purpose: 'live',
      record: 'contacts#7',
      reason: 'match',
      reservationId: 'q:1',
      questionKey: 'q',
      id: 'q:1:posted',
      previousHash: entry.previousHash,
      hash: entry.hash,
      rule: '',
      askedBy: '',
    });
    expect(csvHeader()).toBe(HEADER);
    expect(csvLine(entry, OWNERS)).toBe(
      `workspace,2,2026-11-18T12:00:00.000Z,2026-11-18,Europe/Berlin,posted,4,personProfile,live,contacts#7,match,q:1,q,q:1:posted,${entry.previousHash},${entry.hash},,\r\n`,
    );
  });

  it.each([
    ['a comma', 'one, two', ',"one, two",'],
    ['quotes', 'so-called "gift"', ',"so-called ""gift""",'],
    ['a line feed', 'one\ntwo', ',"one\ntwo",'],
    ['letters beyond ASCII', 'Gutschrift für März', ',Gutschrift für März,'],
  ])('quotes as RFC 4180 does: %s', async (_, reason, field) => {
    expect(csvLine(await adjusted(reason), OWNERS)).toContain(field);
  });
});
