import type { LedgerReader } from '#shared/credit-ledger';
import { type Clock, type Logger, MINUTE_MS, UpstreamError } from '#shared/kernel';
import { withoutOldKey } from '#shared/questions';
import { type RecordItems, type SentAlerts, type StatusItems, statusKind } from '#shared/records';
import { readStops, readTimedWaits, type StopSources, stopsOf } from '#shared/spend';
import { change } from '#shared/store';
import { type Due, dueFacts, NO_ALERTS_SENT, withoutUnsent } from './due-alerts.ts';
import type { Situation } from './facts.ts';

/**
 * Sends a text to people.
 * @throws if it is not certain that the text arrived.
 */
export type Tell = (text: string) => Promise<void>;

export interface AlertServices extends StopSources {
  /** Absent if no receiver is set. Then the alerts read nothing. */
  readonly tell: Tell | undefined;
  /** Name of the stack. Each text begins with it, because two installations may send to the same receiver. */
  readonly name: string;
  readonly status: StatusItems;
  readonly ledger: Pick<LedgerReader, 'account' | 'now' | 'openReservations'>;
  readonly records: Pick<RecordItems, 'list'>;
  readonly dearestCredits: number;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly logger: Logger;
}

/**
 * Sends alerts about budget marks, doubts, and the begin and end of stops. Sends each alert one time, and all due
 * alerts in one message. An alert is noted before it is sent, so that two concurrent sweeps do not both send it. If
 * sending fails, the next sweep sends the alert again. Never throws.
 */
export function createAlerts(services: AlertServices): () => Promise<void> {
  const { tell, logger } = services;
  if (!tell) return async () => undefined;
  return async () => {
    try {
      await sendDueAlerts(services, tell);
    } catch (error) {
      // Logs no error message, because it may quote the webhook's secret address.
      logger.warn('alerts-failed', { code: error instanceof UpstreamError ? error.code : 'UNKNOWN' });
    }
  };
}

async function sendDueAlerts(services: AlertServices, tell: Tell): Promise<void> {
  const { status, name, clock } = services;
  const situation = await situationOf(services);
  const item = { key: statusKind.key('alerts'), kind: 'sent alerts', clock };
  const due = await change(status, item, (known): Due & { value: { alerts: SentAlerts } | undefined } => {
    const dueNow = dueFacts(known?.alerts ?? NO_ALERTS_SENT, situation);
    const isNew = dueNow.added.length + dueNow.ended.length > 0;
    return { ...dueNow, value: isNew ? { alerts: dueNow.sent } : undefined };
  });
  if (due.lines.length === 0) return;
  try {
    await tell(due.lines.map(({ text }) => `${name}: ${text}`).join('\n'));
    for (const { code, params } of due.lines) services.logger.info('alert-sent', { code, ...params });
  } catch (error) {
    await change(status, item, (known) => ({
      value: { alerts: withoutUnsent(known?.alerts ?? NO_ALERTS_SENT, due) },
    }));
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

/**
 * Shortest HubSpot stop that is reported. HubSpot often fails for a minute, and such a stop ends before a person could
 * act.
 */
const HUBSPOT_STOP_MS = 5 * MINUTE_MS;
/**
 * Number of records that are read each minute. A few are enough to see a stop, because records that wait for HubSpot
 * are due soon.
 */
const RECORDS_READ = 100;

/**
 * Reads all stops except stops by budgets, which have their own marks. If a kind has several causes, keeps the worst
 * cause.
 */
async function stopsNow(services: AlertServices, nowMs: number): Promise<Situation['stops']> {
  const [facts, timed] = await Promise.all([
    readStops(services),
    readTimedWaits(services.records, undefined, { limit: RECORDS_READ }),
  ]);
  const breakers = withoutOldKey(facts.breakers, nowMs);
  const lasting = timed.filter(({ sinceMs = nowMs }) => nowMs - sinceMs >= HUBSPOT_STOP_MS);
  const waiting = { inTurn: [], timed: lasting };
  const stops = stopsOf({ facts: { ...facts, breakers }, waiting, nowMs, stack: services.name });
  return new Map(stops.toReversed().map((stop) => [`${stop.kind} ${stop.objectType ?? ''}`.trim(), stop]));
}
