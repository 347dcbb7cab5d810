import { describe, expect, it } from 'vitest';
import { withAnswer } from '#inside/questions/stored-answers.ts';
import { answerFor, type StoredAnswer } from '#shared/questions';
import type { QuestionOption } from '#shared/vendor';

const NOW_MS = 1_000;

function answer(
  options: readonly QuestionOption[],
  askedAtMs: number,
  given: Partial<StoredAnswer> = {},
): StoredAnswer {
  return {
    kind: 'found',
    options,
    askedAtMs,
    expiresAtMs: 10_000,
    credits: 1,
    misses: 0,
    packed: '',
    ...given,
  };
}

function known(...answers: readonly StoredAnswer[]) {
  return answers.reduce<ReturnType<typeof withAnswer>>((item, each) => withAnswer(item, each, NOW_MS), {});
}

function found(item: ReturnType<typeof known>, options: readonly QuestionOption[], nowMs = NOW_MS) {
  return answerFor(item, { options, nowMs })?.askedAtMs;
}

describe('the answers of one question', () => {
  it('keep two that include what the other lacks, so that neither is paid for again', () => {
    const item = known(answer(['email'], 1), answer(['phone'], 2));
    expect(found(item, ['email'])).toBe(1);
    expect(found(item, ['phone'])).toBe(2);
    expect(found(item, [])).toBe(2);
    expect(found(item, ['email', 'phone'])).toBeUndefined();
  });

  it('are one again as soon as a wider one is there', () => {
    const item = known(answer(['email'], 1), answer(['phone'], 2), answer(['email', 'phone'], 3));
    expect(item).toEqual({ answer: answer(['email', 'phone'], 3), olderAnswers: undefined });
  });

  it('keep a wide one that comes late beside a newer narrow one', () => {
    const item = known(answer(['email'], 5), answer(['email', 'phone'], 3));
    expect(item.answer?.askedAtMs).toBe(5);
    expect(found(item, ['phone'])).toBe(3);
    expect(found(item, ['email'])).toBe(5);
  });

  it('drop a narrow one that comes late beside a newer wide one', () => {
    const item = known(answer(['email', 'phone'], 5), answer(['email'], 3));
    expect(item.olderAnswers).toBeUndefined();
    expect(item.answer?.askedAtMs).toBe(5);
  });

  it('drop what is stale, but remember the newest: its misses count on', () => {
    const stale = answer(['email'], 1, { expiresAtMs: NOW_MS });
    expect(known(stale, answer(['phone'], 2)).olderAnswers).toBeUndefined();
    const missed = known(answer([], 1, { kind: 'no-match', misses: 2, expiresAtMs: NOW_MS }));
    expect(missed.answer?.misses).toBe(2);
    expect(found(missed, [])).toBeUndefined();
  });

  it('serve until the very millisecond of their expiry, and not in it', () => {
    const item = known(answer([], 1));
    expect(found(item, [], 9_999)).toBe(1);
    expect(found(item, [], 10_000)).toBeUndefined();
  });

  it('of nobody covers every width, but never what was found', () => {
    const miss = (options: readonly QuestionOption[], askedAtMs: number) =>
      answer(options, askedAtMs, { kind: 'no-match', misses: 1 });
    expect(found(known(miss([], 1)), ['email', 'phone'])).toBe(1);
    expect(found(known(miss([], 1)), ['email'], 10_000)).toBeUndefined();
    const both = known(answer(['email'], 1), miss(['phone'], 2));
    expect(found(both, ['email'])).toBe(1);
    expect(found(both, ['email', 'phone'])).toBe(2);
  });
});
