import type { QuestionItem, StoredAnswer } from './item.ts';
import { covers, type QuestionOption } from './question.ts';

type Answers = Pick<QuestionItem, 'answer' | 'olderAnswers'>;

/** The newest answer that is fresh and includes what is wanted. */
export function answerFor(
  item: Answers | undefined,
  { options, nowMs }: { options: readonly QuestionOption[]; nowMs: number },
): StoredAnswer | undefined {
  return known(item).find((answer) => isFresh(answer, nowMs) && covers(answer.options, options));
}

/**
 * The answers known once another one is. An older one is kept as long as it is fresh and includes what no newer one
 * does: of two that were paid for, one with emails and one with phones, neither may make the other be paid again.
 */
export function withAnswer(item: Answers, added: StoredAnswer, nowMs: number): Answers {
  const kept: StoredAnswer[] = [];
  for (const answer of [added, ...known(item)].sort((a, b) => b.askedAtMs - a.askedAtMs)) {
    const isServed = kept.some((newer) => covers(newer.options, answer.options));
    if (kept.length === 0 || (isFresh(answer, nowMs) && !isServed)) kept.push(answer);
  }
  const [answer, ...olderAnswers] = kept;
  return { answer, olderAnswers: olderAnswers.length > 0 ? olderAnswers : undefined };
}

function known({ answer, olderAnswers = [] }: Answers = {}): readonly StoredAnswer[] {
  return answer ? [answer, ...olderAnswers] : [];
}

function isFresh({ expiresAtMs }: StoredAnswer, nowMs: number): boolean {
  return nowMs < expiresAtMs;
}
