import { describe, expect, it } from 'vitest';
import type { Question } from '#shared/questions';
import { strikeEverywhere, type Wish } from './strike.ts';
import type { Reply } from './vendor.ts';

const by = { profileUrl: 'https://people.example/in/sample' };
const question: Question = { operation: 'personProfile', by, options: ['email'] };
const wider: Question = { ...question, options: ['email', 'phone'] };

/** What the vendor says, and who else is there. */
const SITUATIONS: readonly [Reply, ...Wish['company'][]][] = [
  ['no-match', 'others', 'wider-asker'],
  ['lost-free', 'others'],
  ['not-sent', 'others', 'wider-asker'],
  ['rate-limited', 'others'],
  ['key-refused', 'others'],
  ['out-of-credits', 'others'],
  ['bad-request', 'others'],
];

describe('an asker without a record, struck at every call it makes', () => {
  for (const [reply, ...companies] of SITUATIONS) {
    it(`keeps the laws where the vendor says ${reply}`, async () => {
      for (const company of companies) {
        const { struck, problems } = await strikeEverywhere({ reply, question, wider, company });
        expect(struck.size).toBeGreaterThan(30);
        expect(problems.slice(0, 12)).toEqual([]);
      }
    });
  }
});
