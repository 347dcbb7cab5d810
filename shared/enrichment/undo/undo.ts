import type { ObjectType } from '#shared/crm';
import { assert, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { livingState, type RecordState } from '#shared/records';
import { holdRecord } from '../hold-record.ts';
import { fingerprintOf } from '../memory.ts';
import type { RecordClaim } from '../services.ts';
import { settleRecord } from '../settle-record.ts';
import { guardedWrites } from '../write-back/guarded-writes.ts';
import type { WriteResult } from '../write-back/planned-write.ts';
import { WRITE_LIFETIME_MS } from '../write-back/recover.ts';
import {
  broughtBack,
  notTaken,
  planUndos,
  type UndoPlan,
  type UndoReport,
  type UndoRequest,
  type UndoServices,
} from './plan-undo.ts';
import { outcomeAfter, type PlannedUndo, statusAfter, undoReason, undoWriter } from './undo-writer.ts';

export type UndoResult =
  | (UndoReport & {
      /** The record that the given one was merged into: it is what is spoken of. */
      readonly mergedInto?: string | undefined;
    })
  /** A worker holds the record now, or an answer that was paid for waits to be written to it. */
  | 'busy'
  /** Its person asked to be forgotten: nothing is known that could be brought back. */
  | 'forgotten';

interface Undo {
  readonly objectType: ObjectType;
  /** Of different records, at most as many as HubSpot takes in one batch. */
  readonly requests: readonly UndoRequest[];
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean | undefined;
}

/** An undo is a few requests to HubSpot; a worker that has the record in the meantime is not kept longer than this. */
const CLAIM_MS = 2 * MINUTE_MS;
/** Kept for the outcome after HubSpot's last answer. */
const SETTLE_MS = 10 * SECOND_MS;

/**
 * Brings back what was there before our writes, where the value is still the one that we wrote. What was brought back
 * counts as a person's from then on. No worker enriches the records meanwhile; a run that waited continues afterwards.
 * @returns in the order of the requests.
 */
export async function undoRecords(
  services: UndoServices,
  { objectType, requests, dryRun = false }: Undo,
): Promise<readonly UndoResult[]> {
  const wanted = await Promise.all(
    requests.map(async (request) => ({
      request,
      state: await livingState(services, { objectType, id: request.id }),
    })),
  );
  const living = wanted.filter(({ state }) => state.forgottenAtMs === undefined);
  const plans = await planUndos(services, objectType, living);
  const planned = new Map(living.map(({ request }, at) => [request, plans[at]?.report]));
  const isOpen = ({ request }: Wanted, at: number) =>
    (planned.get(request)?.restored.length ?? 0) > 0 || isToldOtherwise(request, plans[at]);
  const done = dryRun
    ? new Map<UndoRequest, UndoResult>()
    : await restore(services, objectType, { wanted: living.filter(isOpen), planned });
  return wanted.map(({ request, state }): UndoResult => {
    const result = done.get(request) ?? planned.get(request) ?? 'forgotten';
    const isMerged = typeof result !== 'string' && state.id !== request.id;
    return isMerged ? { ...result, mergedInto: state.id } : result;
  });
}

/** The same of one record. */
export async function undoRecord(
  services: UndoServices,
  { objectType, dryRun, ...request }: Omit<Undo, 'requests'> & UndoRequest,
): Promise<UndoResult> {
  const [result] = await undoRecords(services, { objectType, dryRun, requests: [request] });
  assert(result !== undefined, 'each request has its result');
  return result;
}

/** HubSpot still says which answer the record's values are from, or that it waits for a person. */
function isToldOtherwise({ isWrongMatch, isRejection }: UndoRequest, plan: UndoPlan | undefined): boolean {
  const told = plan?.current?.properties ?? {};
  const isTrusted = Boolean(told['enrichment_source'] || told['enrichment_trust_until']);
  const isWaiting = isRejection === true && told['enrichment_status'] === 'review';
  return isWaiting || (isTrusted && (isWrongMatch || (isRejection && plan?.leavesNothing)) === true);
}

interface Wanted {
  readonly request: UndoRequest;
  readonly state: RecordState;
}

interface Restoring {
  readonly wanted: readonly Wanted[];
  /** As the records were found at first. */
  readonly planned: ReadonlyMap<UndoRequest, UndoReport | undefined>;
}

/** Plans again: the worker that had the record may have overwritten what was read before the claim. */
async function restore(
  given: UndoServices,
  objectType: ObjectType,
  { wanted, planned }: Restoring,
): Promise<ReadonlyMap<UndoRequest, UndoResult>> {
  const done = new Map<UndoRequest, UndoResult>();
  const endMs = given.clock.now() + CLAIM_MS - SETTLE_MS;
  const drafts: PlannedUndo['draft'][] = [];
  for (const { request, state } of wanted) {
    const held = await holdRecord(given, state, { claimMs: CLAIM_MS });
    if (typeof held === 'string') done.set(request, held);
    else drafts.push({ held, request });
  }
  if (drafts.length === 0) return done;
  const services = { ...given, crm: given.crm.until(endMs) };
  const definitions = await services.crm.definitions(objectType);
  const writer = undoWriter(services, { objectType, definitions });
  const writing = { objectType, definitions, writer, untilMs: endMs - WRITE_LIFETIME_MS };
  const written = await guardedWrites(services, { ...writing, looksUpEnds: true }, drafts);
  // The journal's own failures come last, because they end it.
  for (const each of written.toSorted((a, b) => rank(a) - rank(b))) {
    const { request } = each.kind === 'done' ? each.plan.draft : each.draft;
    done.set(request, await finish(services, each, planned.get(request)));
  }
  return done;
}

function rank({ kind }: WriteResult<PlannedUndo>): number {
  return kind === 'unjournalled' ? 1 : 0;
}

/** @throws the journal's own failure: the claim lapses, and the next worker continues. */
async function finish(
  services: UndoServices,
  written: WriteResult<PlannedUndo>,
  first: UndoReport | undefined,
): Promise<UndoResult> {
  if (written.kind === 'unjournalled') throw written.error;
  const { held, request, leftOut = [] } = written.kind === 'done' ? written.plan.draft : written.draft;
  const failure = failureOf(written);
  if (failure === 'not-allowed') {
    const { forgottenAtMs } = await livingState(services, held);
    return forgottenAtMs === undefined ? 'busy' : 'forgotten';
  }
  const entry = await services.journal.read(held, held.state.runsOpened);
  const restored = (entry ? broughtBack(entry) : []).map(({ property, before, after }) => ({
    ...{ property, from: before ?? '', to: after === '' ? null : after },
  }));
  const plan = written.kind === 'done' ? written.plan : undefined;
  const hasFailed = failure !== undefined && restored.length === 0;
  const { staleAtMs } = held.state;
  const leavesNothing = plan?.leavesNothing === true && failure === undefined;
  await settleRecord(services, held, {
    ...{ kind: 'outcome', credits: held.run.credits },
    outcome: hasFailed ? 'failed' : leavesNothing ? outcomeAfter(request) : 'unchanged',
    status: hasFailed || leavesNothing ? undefined : statusAfter(request, plan?.current),
    reason: hasFailed ? `The undo failed: ${failure}` : undoReason(restored, request),
    learned: {
      ownership: { released: restored.map(({ property }) => property) },
      ...fingerprintAfter(services, held, { restored, current: plan?.current }),
      // Nothing new was learned: what is stale stays so, and is refreshed.
      ...(staleAtMs !== undefined && { staleAtMs }),
    },
  });
  const names = new Set(restored.map(({ property }) => property));
  const open = ((plan?.report ?? first)?.restored ?? []).filter(({ property }) => !names.has(property));
  const untaken =
    failure === undefined ? [] : open.map(({ property }) => notTaken({ property, reason: failure }));
  const kept = plan ? plan.report.kept : leftOut.map(notTaken);
  return { ...(plan?.report ?? first), restored, kept: [...kept, ...untaken] };
}

/** Why HubSpot did not take it. */
function failureOf(written: Exclude<WriteResult<PlannedUndo>, { kind: 'unjournalled' }>): string | undefined {
  if (written.kind === 'stopped') return written.error.code;
  const { plan, result } = written;
  if (result === undefined) return Object.keys(plan.writes).length > 0 ? 'not-allowed' : undefined;
  return result.kind === 'written' ? undefined : result.reason;
}

/** What a person has changed since the last run is still to be looked at: only our own write changes nothing. */
function fingerprintAfter(
  services: UndoServices,
  { state }: RecordClaim,
  { restored, current }: Pick<UndoReport, 'restored'> & Partial<Pick<UndoPlan, 'current'>>,
): Pick<RecordState, 'fingerprint'> {
  if (!current) return {};
  const withValues = (which: 'from' | 'to') => {
    const values = Object.fromEntries(restored.map((each) => [each.property, each[which]]));
    return fingerprintOf({ ...current, properties: { ...current.properties, ...values } }, services);
  };
  return state.fingerprint === withValues('from') ? { fingerprint: withValues('to') } : {};
}
