import { describe, expect, it } from 'vitest';
import type { Question } from '#shared/questions';
import { STRIDE } from '../../harness/repeated.ts';
import { strikeEverywhere, type Wish } from './strike.ts';
import type { Reply } from './vendor.ts';

const by = { profileUrl: 'https://people.example/in/sample' };
const question: Question = { operation: 'personProfile', by, options: ['email'] };
const wider: Question = { ...question, options: ['email', 'phone'] };
const search: Question = {
  operation: 'searchPeople',
  by: { search: JSON.stringify({ title: 'engineer', per_page: 10 }) },
  options: [],
};

/** An asker makes few calls, so more of them are struck than elsewhere. Five has no factor in common with the kinds. */
const EVERY = Math.min(STRIDE, 5);

/** What the vendor says, and who else is there. */
const SITUATIONS: readonly [Reply, ...Wish['company'][]][] = [
  ['found', 'nobody', 'others', 'wider-asker'],
  ['lost-charged', 'nobody', 'others', 'wider-asker'],
];

describe('an asker struck at every call it makes', () => {
  for (const [reply, ...companies] of SITUATIONS) {
    it(`keeps the laws where the vendor says ${reply}`, async () => {
      for (const company of companies) {
        const { struck, problems } = await strikeEverywhere({
          reply,
          question,
          wider,
          company,
          every: EVERY,
        });
        expect(struck.size).toBeGreaterThan(40 / EVERY / 2);
        expect(problems.slice(0, 12)).toEqual([]);
      }
    });
  }

  it('keeps the laws where a search delivers less than its worst case', async () => {
    const wish = { reply: 'found', question: search, wider: search, company: 'others' } as const;
    expect((await strikeEverywhere({ ...wish, every: EVERY })).problems.slice(0, 12)).toEqual([]);
  });
});
