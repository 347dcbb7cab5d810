import { priceOfQuestion } from '#shared/questions/price.ts';
import type { Question } from '#shared/questions/question.ts';
import type { EnrichmentServices, Held } from '../services.ts';
import { isStored } from './known-answer.ts';

export const TOO_DEAR = {
  outcome: 'skipped',
  reason: 'It changed since the quote: to ask about it would cost more.',
  learned: { isDearer: true },
} as const;

/** What the run may cost by a backfill's quote or the price that a person agreed to, credits; otherwise what the budgets allow. */
export function quotedCredits({ run, state: { backfill } }: Held): number {
  if (run.asked?.maxCredits !== undefined) return run.asked.maxCredits;
  const isQuoted = run.purpose === 'backfill' && backfill?.runId === run.id;
  return isQuoted ? backfill.maxCredits : Number.POSITIVE_INFINITY;
}

/** Nothing costs more than its quote, whatever became of a record meanwhile. */
export async function isDearerThanQuoted(
  services: EnrichmentServices,
  { held, question, credits }: { held: Held; question: Question; credits: number },
): Promise<boolean> {
  if (credits + priceOfQuestion(question) <= quotedCredits(held)) return false;
  return !(await isStored(services, question));
}
