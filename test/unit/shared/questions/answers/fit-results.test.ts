import { describe, expect, it } from 'vitest';
import { fitResults } from '#inside/questions/answers/fit-results.ts';

const ASKED = ['one.com', 'two.com'];
const one = { primary_domain: 'one.com', name: 'One' };

function fitted(...results: readonly Readonly<Record<string, unknown>>[]) {
  const { byDomain, unfit } = fitResults(ASKED, results);
  return { found: [...byDomain.keys()], unfit: unfit.length };
}

describe('the results of a batch', () => {
  it.each([
    ['belong to the domain that they name', [one, { primary_domain: 'two.com' }], ['one.com', 'two.com'], 0],
    [
      'belong by their website, however it is written',
      [{ website_url: 'https://www.one.com/en?x' }],
      ['one.com'],
      0,
    ],
    ['belong by their domain before their website', [{ ...one, website_url: 'two.com' }], ['one.com'], 0],
    ['are nobody’s who was not asked about', [{ primary_domain: 'onetwo.com' }], [], 1],
    ['are nobody’s without any domain', [{ name: 'One' }, { primary_domain: 7 }], [], 2],
    ['are nobody’s where two name one domain', [one, { ...one, name: 'One Holding' }], [], 2],
  ] as const)('%s', (_, results, found, unfit) => {
    expect(fitted(...results)).toEqual({ found, unfit });
  });
});
