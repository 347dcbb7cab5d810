import { expect, it } from 'vitest';
import type { WrongMatch } from '#shared/enrichment';
import { claimsOf } from '../../../../infra/cli/commands/review/claims.ts';

const marked = (id: string, more: Partial<WrongMatch> = {}): WrongMatch => ({
  ...{ objectType: 'contacts', id, questionKey: 'q', operation: 'personProfile', credits: 3 },
  ...{ askedAtMs: 0, atMs: 1, ...more },
});

it('a request is claimed once, however many records used its answer', () => {
  const claims = claimsOf([marked('1'), marked('2'), marked('3', { questionKey: 'r', credits: 1 })]);
  expect(claims.map(({ questionKey, credits }) => [questionKey, credits])).toEqual([
    ['q', 3],
    ['r', 1],
  ]);
});
