import { expect, it } from 'vitest';
import { acceptAnswer, isRejected, rejectAnswer } from '#shared/ownership';

const ANSWER = { questionKey: 'question', askedAtMs: 1 };
const accepted = acceptAnswer([], ANSWER, 'contradiction');

it('an answer that a person accepted stays accepted when a later comparison contradicts it', () => {
  const [verdict] = rejectAnswer(accepted, ANSWER, { reason: 'The names differ.' });
  expect(verdict).toMatchObject({ rejected: { reason: 'The names differ.' }, inSpiteOf: 'contradiction' });
  expect(verdict && isRejected(verdict)).toBe(false);
});

it('an answer that a person accepted and then rejected is rejected', () => {
  const [verdict] = rejectAnswer(accepted, ANSWER, { reason: 'Another person.', byPerson: true });
  expect(verdict && isRejected(verdict)).toBe(true);
});
