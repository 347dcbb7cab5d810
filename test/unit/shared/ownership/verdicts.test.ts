import { expect, it } from 'vitest';
import { acceptAnswer, isRejected, rejectAnswer } from '#shared/ownership';

const ANSWER = { questionKey: 'question', askedAtMs: 1 };
const accepted = acceptAnswer([], ANSWER, 'contradiction');

it('an answer that a person accepted stays accepted when a later comparison contradicts it', () => {
  const [verdict] = rejectAnswer(accepted, ANSWER, { reason: { code: 'other-last-name' } });
  expect(verdict).toMatchObject({
    rejected: { reason: { code: 'other-last-name' } },
    inSpiteOf: 'contradiction',
  });
  expect(verdict && isRejected(verdict)).toBe(false);
});

it('an answer that a person accepted and then rejected is rejected', () => {
  const [verdict] = rejectAnswer(accepted, ANSWER, {
    reason: { code: 'rejected-by-person' },
    byPerson: true,
  });
  expect(verdict && isRejected(verdict)).toBe(true);
});
