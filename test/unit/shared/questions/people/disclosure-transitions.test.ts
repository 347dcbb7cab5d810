import { describe, expect, it } from 'vitest';
import {
  type Delivery,
  endedDisclosure,
  forgotten,
  withRecord,
  withRequest,
} from '#inside/questions/people/disclosure-transitions.ts';
import { type DisclosedRequest, MAX_DISCLOSED_REQUESTS } from '#inside/questions/schemas.ts';

const PERSON = { person: 'p', identifiers: ['p'] };
const request = (atMs: number, fields = ['title']): DisclosedRequest => ({
  source: 'data-service',
  operation: 'reverseEmail',
  question: 'q',
  atMs,
  sent: ['email'],
  fields,
  purpose: 'live',
  answerUntilMs: atMs + 1,
});
const delivery = (atMs: number, askedAtMs: number): Delivery => ({
  record: 'contacts#1',
  operation: 'reverseEmail',
  properties: ['jobtitle'],
  atMs,
  askedAtMs,
});
const held = withRecord(withRequest(undefined, PERSON, request(10)), PERSON, delivery(11, 10));
const ended = endedDisclosure(held, 100);

describe('an ended disclosure record', () => {
  it('begins anew with the delivery of a stored answer', () => {
    const again = withRecord(ended, PERSON, delivery(101, 10));
    expect(again).toMatchObject({ obtained: { firstAtMs: 10, lastAtMs: 10 } });
    expect(again).not.toHaveProperty('endedAtMs');
  });

  it('begins anew with an answer, and counts from it', () => {
    const again = withRequest(ended, PERSON, request(150));
    expect(again).toMatchObject({ obtained: { firstAtMs: 150, lastAtMs: 150 } });
    expect(again).not.toHaveProperty('endedAtMs');
  });

  it.each([
    ['a delivery before the end', withRecord(ended, PERSON, delivery(100, 10))],
    ['a request before the end', withRequest(ended, PERSON, request(99))],
    ['a request that found nobody', withRequest(ended, PERSON, request(150, []))],
  ])('stays ended after %s', (_what, item) => {
    expect([item.endedAtMs, item.obtained]).toEqual([100, held.obtained]);
  });

  it('of a forgotten person stays the proof', () => {
    const proof = forgotten(held, 90);
    expect(endedDisclosure(proof, 100)).toBe(proof);
    expect(withRecord(proof, PERSON, delivery(101, 101))).toEqual(proof);
  });
});

describe('a disclosure record', () => {
  it('learns identifiers', () => {
    const known = withRequest(held, { person: 'p', identifiers: ['p', 'q'] }, request(20));
    expect(known.identifiers).toEqual(['p', 'q']);
    expect(withRequest(known, PERSON, request(21)).identifiers).toEqual(['p', 'q']);
  });

  it('sums up the oldest requests by operation', () => {
    let item = withRequest(undefined, PERSON, { ...request(1), operation: 'personProfile' });
    for (let nth = 2; nth <= MAX_DISCLOSED_REQUESTS + 3; nth += 1)
      item = withRequest(item, PERSON, request(nth));
    expect(item.requests).toHaveLength(MAX_DISCLOSED_REQUESTS);
    expect(item.earlierRequests?.map(({ operation, times }) => [operation, times])).toEqual([
      ['personProfile', 1],
      ['reverseEmail', 2],
    ]);
  });
});
