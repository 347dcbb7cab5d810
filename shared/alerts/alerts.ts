import type { LedgerReader } from '#shared/credit-ledger';
import { type Clock, type Logger, MINUTE_MS, UpstreamError } from '#shared/kernel';
import { withoutOldKey } from '#shared/questions';
import type { RecordItems } from '#shared/records';
import { readStops, readTimedWaits, type StopSources, stopsOf } from '#shared/spend';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { Situation } from './facts.ts';
import type { ToldFacts } from './schemas.ts';
import { toldKind } from './stored-kinds.ts';
import { type Due, dueFacts, NOTHING_TOLD, takenBack } from './told.ts';

/** Sends a text to people. @throws when it may not have arrived */
export type Tell = (text: string) => Promise<void>;

export interface AlertServices extends StopSources {
  /** Absent without a receiver: then nothing is read. */
  readonly tell: Tell | undefined;
  /** Of the stack. Stands before each text: two installations may tell in one place. */
  readonly name: string;
  readonly items: VersionedItems<ToldFacts>;
  readonly ledger: Pick<LedgerReader, 'account' | 'now' | 'openReservations'>;
  readonly records: Pick<RecordItems, 'list'>;
  readonly dearestCredits: number;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly logger: Logger;
}

/**
 * Tells of budgets at their marks, doubts, stops and their end, each once, in one message. What is due is noted before it
 * is said, so that of two sweeps at once only one says it; what could not be said is said by the next sweep. Never fails.
 */
export function createAlerts(services: AlertServices): () => Promise<void> {
  const { tell, logger } = services;
  if (!tell) return async () => undefined;
  return async () => {
    try {
      await tellWhatIsDue(services, tell);
    } catch (error) {
      // Never its message: it may quote the address.
      logger.warn('alerts-failed', { code: error instanceof UpstreamError ? error.code : 'UNKNOWN' });
    }
  };
}

async function tellWhatIsDue(services: AlertServices, tell: Tell): Promise<void> {
  const { items, name, clock } = services;
  const situation = await situationOf(services);
  const item = { key: toldKind.key(), kind: 'what was told', clock };
  const due = await change(items, item, (known = NOTHING_TOLD): Due & { value: ToldFacts | undefined } => {
    const decided = dueFacts(known, situation);
    const isNew = decided.added.length + decided.ended.length > 0;
    return { ...decided, value: isNew ? decided.told : undefined };
  });
  if (due.sentences.length === 0) return;
  try {
    await tell(due.sentences.map((sentence) => `${name}: ${sentence}`).join('\n'));
  } catch (error) {
    await change(items, item, (known = NOTHING_TOLD) => ({ value: takenBack(known, due) }));
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

/** HubSpot often fails for a minute. Such a stop ends before anyone could act on a message. */
const HUBSPOT_STOP_MS = 5 * MINUTE_MS;
/** Every minute a few records are enough to see a stop: records that wait for HubSpot are due soon. */
const LOOKED_AT = 100;

/** All stops but those of the budgets, which have marks of their own. Of several causes of one kind the worst counts. */
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
