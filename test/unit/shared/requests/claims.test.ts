import { expect, it } from 'vitest';
import { type RequestItems, readClaims, type WrongMatch } from '#shared/requests';

const marked = (id: string, more: Partial<WrongMatch> = {}): WrongMatch => ({
  objectType: 'contacts',
  id,
  questionKey: 'q',
  operation: 'personProfile',
  credits: 3,
  askedAtMs: 0,
  atMs: 1,
  ...more,
});

it('a request is claimed once, however many records used its answer', async () => {
  const reported = [marked('1'), marked('2'), marked('3', { questionKey: 'r', credits: 1 })];
  const list: RequestItems['list'] = async () => reported.map((wrongMatch) => ({ wrongMatch }));
  const claims = await readClaims({ list });
  expect(claims.map(({ questionKey, credits }) => [questionKey, credits])).toEqual([
    ['q', 3],
    ['r', 1],
  ]);
});
