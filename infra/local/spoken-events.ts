import { type Clock, commandText, HOUR_MS, type LogFields, type Logger } from '#shared/kernel';
import { REFUSED_ADVICE } from '../doctor/texts.ts';
import type { SavedState } from './schemas.ts';

export type RefusedDeliveries = NonNullable<SavedState['refusedDeliveries']>;

interface Settings {
  readonly say: (line: string) => void;
  readonly clock: Pick<Clock, 'now'>;
  /** Value that an earlier process saved. */
  readonly refused: RefusedDeliveries | undefined;
}

const REPEAT_AFTER_MS = HOUR_MS;
/**
 * Only signed deliveries are reported. A delivery without a signature cannot come from HubSpot, and anyone can send
 * one.
 */
const SIGNED: ReadonlySet<unknown> = new Set([
  'wrong-signature',
  'v1-not-allowed',
  'too-old',
  'from-the-future',
]);

/**
 * Wraps the logger. Shows some events at the console, where a person can act on them, and counts refused deliveries.
 */
export function speakEvents(logger: Logger, { say, clock, refused: known }: Settings) {
  let refused = known;
  const saidMs = new Map<string, number>();
  const sayOnce = (line: string) => {
    const nowMs = clock.now();
    if (nowMs - (saidMs.get(line) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return;
    saidMs.set(line, nowMs);
    say(line);
  };
  const note = (event: string, fields: LogFields = {}) => {
    if (event === 'ledger-broken')
      sayOnce(
        `BROKEN: entry ${fields.seq} of the ledger does not hold. ${fields.reason} Run ${commandText('ledger verify', undefined)}, and see "Books differ" in the runbook.`,
      );
    // Deliveries without events are skipped, because they come from `doctor`.
    if (event === 'webhook-refused' && fields.eventCount !== 0 && SIGNED.has(fields.reason)) {
      const nowMs = clock.now();
      const { count = 0, sinceMs = nowMs } = refused ?? {};
      refused = { count: count + 1, reason: String(fields.reason), sinceMs, lastMs: nowMs };
      sayOnce(`REFUSED: a webhook delivery, because of its signature (${fields.reason}): ${REFUSED_ADVICE}.`);
    }
    if (event === 'webhook-received' && fields.eventCount !== 0) refused = undefined;
  };
  const spoken =
    (level: keyof Logger) =>
    (event: string, fields?: LogFields): void => {
      logger[level](event, fields);
      note(event, fields);
    };
  const logging: Logger = { info: spoken('info'), warn: spoken('warn'), error: spoken('error') };
  return { logger: logging, refused: () => refused };
}
