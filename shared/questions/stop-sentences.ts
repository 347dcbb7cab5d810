import type { StopReason } from './breaker-transitions.ts';
import type { BreakerState } from './schemas.ts';

/** Why lookups are stopped, for a person. The catalogue of waits and stops takes its texts from here. */
export const STOP_SENTENCES: Readonly<Record<StopReason, string>> = {
  'key-refused': 'The data service refuses the API key.',
  'wrong-address':
    'The configured address is not the data service: it answers 404. Check DATA_SERVICE_BASE_URL (of a stack: dataServiceBaseUrl).',
  'out-of-credits': 'The balance at the data service has too few credits for this lookup.',
  'charges-above-list':
    'The data service charged more than its price list. From time to time, one lookup is made as a test, at its usual price. Spending continues when the charge is correct.',
  'too-many-doubts':
    'Several requests in a row got no usable answer. The free key check is repeated, then one lookup is made as a test, at its usual price. Spending continues when the lookup is answered.',
  'stopped-by-person': 'A person stopped spending.',
};

/** Explains a person's stop. Only a person ends it. */
export function personsStopSentence({ reason, by }: NonNullable<BreakerState['stopped']>): string {
  return `${STOP_SENTENCES['stopped-by-person']} Reason: ${reason}${by === undefined ? '' : ` (${by})`}.`;
}
