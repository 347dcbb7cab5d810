import { expect, it } from 'vitest';
import type { Asker } from '../../../../infra/cli/commands/questions/asker.ts';
import { quoteOf, searchPages } from '../../../../infra/cli/commands/questions/search-pages.ts';
import type { Search } from '../../../../infra/cli/commands/questions/search-question.ts';

const SEARCH: Search = { operation: 'searchPeople', parameters: { person_titles: ['Manager'] } };
const ANSWERED = { questionKey: 'key', askedAtMs: 0, expiresAtMs: 1, credits: 0 };
const CUT = { kind: 'found', ...ANSWERED, isCut: true, record: { data: [{ id: 1 }, { id: 2 }] } } as const;

it('a page that is stored in part counts as full, and is marked', async () => {
  const asker: Asker = {
    stored: async ({ by }) => (/"page":1\b/.test(by.search ?? '') ? CUT : undefined),
    ask: async (question, _leftCredits) => {
      const stored = await asker.stored(question);
      return stored
        ? { ...CUT, fromStore: true }
        : { kind: 'no-match', ...ANSWERED, credits: 100, fromStore: false };
    },
  };
  expect(await quoteOf(asker, SEARCH, 200)).toBe(100);
  const pages = await Array.fromAsync(searchPages(asker, SEARCH, { maxResults: 200, maxCredits: 100 }));
  expect(pages.map(({ records, isCut }) => [records.length, isCut])).toEqual([
    [2, true],
    [0, false],
  ]);
});
