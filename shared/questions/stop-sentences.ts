import { MAX_PROBE_CREDITS, type StopReason } from './breaker-transitions.ts';
import type { BreakerState } from './schemas.ts';

/** What keeps questions from being asked, as a person reads it. */
export const STOP_SENTENCES: Readonly<Record<StopReason, string>> = {
  'key-refused': 'The data service refuses the API key.',
  'wrong-address':
    'The address of the data service answers 404, but not as the data service does: see DATA_SERVICE_BASE_URL (of a stack: dataServiceBaseUrl).',
  'out-of-credits': "The data service's own balance does not pay for this question.",
  'charges-above-list': `The data service charged more than its price list. From time to time one question of at most ${MAX_PROBE_CREDITS} credits is asked as a test. Spending goes on when its charge fits.`,
  'too-many-doubts': `Several requests in a row were left without an answer. The free key check is repeated, and then one question of at most ${MAX_PROBE_CREDITS} credits. Spending goes on when it is answered.`,
  'stopped-by-person': 'A person stopped spending.',
};

/** A person's stop lasts until a person ends it, however often records look again. */
export function personsStopSentence({ reason, by }: NonNullable<BreakerState['stopped']>): string {
  return `${STOP_SENTENCES['stopped-by-person']} Reason: ${reason}${by === undefined ? '' : ` (${by})`}.`;
}
