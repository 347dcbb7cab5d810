import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { type Learned, livingState } from '#shared/records';
import { holdRecord } from '../hold-record.ts';
import { fingerprintOf } from '../memory.ts';
import type { RecordClaim } from '../services.ts';
import { settleRecord } from '../settle-record.ts';
import {
  type PlannedUndo,
  planUndo,
  type UndoReport,
  type UndoRequest,
  type UndoServices,
} from './plan-undo.ts';
import { marksOf, reasonOf, restoreGuarded, type Undoing } from './undo-writes.ts';

export type UndoResult =
  | (UndoReport & {
      /** The record that the given one was merged into: it is what is spoken of. */
      readonly mergedInto?: string | undefined;
    })
  /** A worker holds the record now, or an answer that was paid for waits to be written to it. */
  | 'busy'
  /** Its person asked to be forgotten: nothing is known that could be brought back. */
  | 'forgotten';

/** An undo is two requests to HubSpot; a worker that has the record in the meantime is not kept longer than this. */
const CLAIM_MS = 2 * MINUTE_MS;
/** Kept for the outcome after HubSpot's last answer. */
const SETTLE_MS = 10 * SECOND_MS;

/**
 * Brings back what was there before our writes, where the value is still the one that we wrote. What was brought back
 * counts as a person's from then on. Nobody enriches the record meanwhile; a run that waited goes on afterwards.
 */
export async function undoRecord(services: UndoServices, request: UndoRequest): Promise<UndoResult> {
  const state = await livingState(services, request);
  if (state.forgottenAtMs !== undefined) return 'forgotten';
  const merged = state.id === request.id ? {} : { mergedInto: state.id };
  const planned = await planUndo(services, state, request);
  if (request.dryRun || planned.report.restored.length === 0) return { ...planned.report, ...merged };
  const nowMs = services.clock.now();
  const held = await holdRecord(services, state, { claimMs: CLAIM_MS });
  if (typeof held === 'string') return held;
  const timely = { ...services, crm: services.crm.until(nowMs + CLAIM_MS - SETTLE_MS) };
  // It plans anew: what was read before the claim may have been written over by the worker that had it.
  const report = await restore(timely, { held, request, untilMs: nowMs + CLAIM_MS - SETTLE_MS });
  return typeof report === 'string' ? report : { ...report, ...merged };
}

async function restore(
  services: UndoServices,
  { held, request, untilMs }: { held: RecordClaim; request: UndoRequest; untilMs: number },
): Promise<UndoReport | 'busy' | 'forgotten'> {
  const undoing: Undoing = { services, held, request, untilMs, sent: new Map() };
  const written = await restoreGuarded(undoing);
  if (typeof written === 'string') return written;
  const { planned, failure } = written;
  const restored = [...undoing.sent].map(([property, change]) => ({ property, ...change }));
  const { staleAtMs } = held.state;
  // Nothing new was learned: what is stale stays so, and is refreshed.
  const stale = staleAtMs === undefined ? {} : { staleAtMs };
  const hasFailed = failure !== undefined && restored.length === 0;
  const learned = learnedOf(services, { restored, definitions: planned.definitions });
  await settleRecord(services, held, {
    ...{ kind: 'outcome', outcome: hasFailed ? 'failed' : 'unchanged', credits: held.run.credits },
    reason: hasFailed ? `The undo failed: ${failure}` : reasonOf(restored),
    learned: hasFailed
      ? stale
      : { ...learned, ...fingerprintAfter(services, held, { restored, record: planned.record }), ...stale },
  });
  const { report } = planned;
  if (failure === undefined) return { ...report, restored };
  const untaken = report.restored
    .filter(({ property }) => !undoing.sent.has(property))
    .map(({ property }) => ({ property, reason: `HubSpot did not take it: ${failure}` }));
  return { ...report, restored, kept: [...report.kept, ...untaken] };
}

/** From now on these values are a person's: not remembered as ours, and kept even where they are blank. */
function learnedOf(
  services: UndoServices,
  { restored, definitions }: Pick<UndoReport, 'restored'> & Pick<PlannedUndo, 'definitions'>,
): Learned {
  return {
    released: restored.map(({ property }) => property),
    pinned: marksOf(services, { restored, definitions }),
  };
}

/** What a person has changed since the last run is still to be looked at: only our own write changes nothing. */
function fingerprintAfter(
  services: UndoServices,
  { state }: RecordClaim,
  { restored, record }: Pick<UndoReport, 'restored'> & Pick<PlannedUndo, 'record'>,
): Pick<Learned, 'fingerprint'> {
  if (!record || state.fingerprint !== fingerprintOf(record, services)) return {};
  const back = Object.fromEntries(restored.map(({ property, to }) => [property, to]));
  return {
    fingerprint: fingerprintOf({ ...record, properties: { ...record.properties, ...back } }, services),
  };
}
