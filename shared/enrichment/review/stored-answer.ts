import { answersOf, questionKind, storedRecord } from '#shared/questions';
import type { Finding } from '#shared/review';
import type { EnrichmentServices } from '../services.ts';

export interface FoundAnswer {
  readonly record: Readonly<Record<string, unknown>>;
  readonly expiresAtMs: number;
}

/** Returns the stored answer of a finding; `undefined` if it is too old or was deleted. */
export async function answerOfFinding(
  { forgetting, clock }: Pick<EnrichmentServices, 'forgetting' | 'clock'>,
  { questionKey, askedAtMs }: NonNullable<Finding['answer']>,
): Promise<FoundAnswer | undefined> {
  const item = (await forgetting.items.read(questionKind.key(questionKey)))?.value;
  const stored = answersOf(item).find((answer) => answer.kind === 'found' && answer.askedAtMs === askedAtMs);
  if (!item || !stored || stored.expiresAtMs <= clock.now()) return undefined;
  const record = await storedRecord(forgetting, item, stored);
  return record && { record, expiresAtMs: stored.expiresAtMs };
}
