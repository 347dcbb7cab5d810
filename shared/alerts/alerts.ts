import type { LedgerReader } from '#shared/credit-ledger';
import { type Clock, type Logger, MINUTE_MS, UpstreamError } from '#shared/kernel';
import { withoutOldKey } from '#shared/questions';
import type { RecordItems } from '#shared/records';
import { readStops, readTimedWaits, type StopSources, stopsOf } from '#shared/spend';
import { change, type VersionedItems } from '#shared/versioned-items';
import { type Due, dueFacts, NO_ALERTS_SENT, withoutUnsent } from './due-alerts.ts';
import type { Situation } from './facts.ts';
import type { SentAlerts } from './schemas.ts';
import { sentAlertsKind } from './stored-kinds.ts';

/** Sends a text to people. @throws if the text may not have arrived */
export type Tell = (text: string) => Promise<void>;

export interface AlertServices extends StopSources {
  /** Absent without a receiver. Then the alerts read nothing. */
  readonly tell: Tell | undefined;
  /** Name of the stack. It begins each text, because two installations may send to the same place. */
  readonly name: string;
  readonly items: VersionedItems<SentAlerts>;
  readonly ledger: Pick<LedgerReader, 'account' | 'now' | 'openReservations'>;
  readonly records: Pick<RecordItems, 'list'>;
  readonly dearestCredits: number;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly logger: Logger;
}

/**
 * Sends alerts about budget marks, doubts, and the begin and end of stops: each once, all in one message. An alert is
 * noted before it is sent, so that two concurrent sweeps do not both send it. After a failure the next sweep sends it
 * again. Never throws.
 */
export function createAlerts(services: AlertServices): () => Promise<void> {
  const { tell, logger } = services;
  if (!tell) return async () => undefined;
  return async () => {
    try {
      await sendDueAlerts(services, tell);
    } catch (error) {
      // Log no error message: it may quote the webhook's secret address.
      logger.warn('alerts-failed', { code: error instanceof UpstreamError ? error.code : 'UNKNOWN' });
    }
  };
}

async function sendDueAlerts(services: AlertServices, tell: Tell): Promise<void> {
  const { items, name, clock } = services;
  const situation = await situationOf(services);
  const item = { key: sentAlertsKind.key(), kind: 'sent alerts', clock };
  const due = await change(items, item, (known = NO_ALERTS_SENT): Due & { value: SentAlerts | undefined } => {
    const decided = dueFacts(known, situation);
    const isNew = decided.added.length + decided.ended.length > 0;
    return { ...decided, value: isNew ? decided.sent : undefined };
  });
  if (due.sentences.length === 0) return;
  try {
    await tell(due.sentences.map((sentence) => `${name}: ${sentence}`).join('\n'));
  } catch (error) {
    await change(items, item, (known = NO_ALERTS_SENT) => ({ value: withoutUnsent(known, due) }));
    throw error;
  }
}

async function situationOf(services: AlertServices): Promise<Situation> {
  const { name: stack, ledger, dearestCredits, timeZone, clock } = services;
  const nowMs = clock.now();
  const [now, open, stops] = await Promise.all([
    ledger.now(),
    ledger.openReservations(),
    stopsNow(services, nowMs),
  ]);
  return {
    stack,
    nowMs,
    timeZone,
    budgets: now.states(),
    dearestCredits,
    doubts: open.filter(({ state }) => state === 'doubtful'),
    stops,
  };
}

/** HubSpot often fails for a minute. Such a stop ends before a person could act on a message. */
const HUBSPOT_STOP_MS = 5 * MINUTE_MS;
/** A few records each minute are enough to see a stop: records that wait for HubSpot are due soon. */
const LOOKED_AT = 100;

/**
 * Reads all stops except those of budgets, which have their own marks. Of several causes of one kind, it keeps the
 * worst.
 */
async function stopsNow(services: AlertServices, nowMs: number): Promise<Situation['stops']> {
  const [facts, timed] = await Promise.all([
    readStops(services),
    readTimedWaits(services.records, undefined, LOOKED_AT),
  ]);
  const breakers = withoutOldKey(facts.breakers, nowMs);
  const lasting = timed.filter(({ sinceMs = nowMs }) => nowMs - sinceMs >= HUBSPOT_STOP_MS);
  const waiting = { inTurn: [], timed: lasting };
  const stops = stopsOf({ facts: { ...facts, breakers }, waiting, nowMs, stack: services.name });
  return new Map(stops.toReversed().map((stop) => [`${stop.kind} ${stop.objectType ?? ''}`.trim(), stop]));
}
