import { SECOND_MS } from '../../kernel/clock.ts';

/** A worker that stood still for longer than this between marking a question as sent and sending no longer sends. */
export const STALLED_MS = 5 * SECOND_MS;
