import type { ObjectType, PropertyDefinitions } from '#shared/crm';
import { assert, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { because, livingState, type RecordState } from '#shared/records';
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
      /** The record that the requested record was merged into. The report is about this record. */
      readonly mergedInto?: string | undefined;
    })
  /** A worker holds the record, or a paid answer waits to be written to it. */
  | 'busy'
  /** The person asked to be forgotten, so no former value is stored. */
  | 'forgotten';

interface Undo {
  readonly objectType: ObjectType;
  /** One request for each record, at most as many as a HubSpot batch takes. */
  readonly requests: readonly UndoRequest[];
  /** Reports the plan and changes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Longest claim. An undo needs only a few requests to HubSpot, and blocks workers no longer than this time. */
const CLAIM_MS = 2 * MINUTE_MS;
/** Time kept for the outcome after HubSpot's last answer. */
const SETTLE_MS = 10 * SECOND_MS;

/**
 * Restores the values before our writes, if the present value is still ours. Restored values then count as a person's.
 * During the undo, no worker enriches the records. A waiting run continues afterwards.
 * @returns the results in the order of the requests.
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
  const planned = new Map(living.map(({ request }, index) => [request, plans[index]?.report]));
  const needsWrite = ({ request }: Wanted, index: number) =>
    (planned.get(request)?.restored.length ?? 0) > 0 || hasOutdatedStatus(request, plans[index]);
  const done = dryRun
    ? new Map<UndoRequest, UndoResult>()
    : await restore(services, objectType, { wanted: living.filter(needsWrite), planned });
  return wanted.map(({ request, state }): UndoResult => {
    const result = done.get(request) ?? planned.get(request) ?? 'forgotten';
    const isMerged = typeof result !== 'string' && state.id !== request.id;
    return isMerged ? { ...result, mergedInto: state.id } : result;
  });
}

/** Undoes the runs of one record. */
export async function undoRecord(
  services: UndoServices,
  { objectType, dryRun, ...request }: Omit<Undo, 'requests'> & UndoRequest,
): Promise<UndoResult> {
  const [result] = await undoRecords(services, { objectType, dryRun, requests: [request] });
  assert(result !== undefined, 'each request has its result');
  return result;
}

/** Whether HubSpot still shows the answer's source, the next check, or a review status. */
function hasOutdatedStatus({ isWrongMatch, isRejection }: UndoRequest, plan: UndoPlan | undefined): boolean {
  const shown = plan?.current?.properties ?? {};
  const showsAnswer = Boolean(shown['enrichment_source'] || shown['enrichment_next_check_at']);
  const isWaiting = isRejection === true && shown['enrichment_status'] === 'review';
  return isWaiting || (showsAnswer && (isWrongMatch || (isRejection && plan?.leavesNothing)) === true);
}

interface Wanted {
  readonly request: UndoRequest;
  readonly state: RecordState;
}

interface Restoring {
  readonly wanted: readonly Wanted[];
  /** Plans of the first read. */
  readonly planned: ReadonlyMap<UndoRequest, UndoReport | undefined>;
}

/**
 * Restores the values. Plans the undo again, because a worker may have written between the first read and the claim.
 */
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
  const written = await guardedWrites(services, { ...writing, awaitsResults: true }, drafts);
  // A journal failure throws, so it comes last.
  for (const each of written.toSorted((a, b) => rank(a) - rank(b))) {
    const { request } = each.kind === 'done' ? each.plan.draft : each.draft;
    done.set(request, await finish(services, each, { first: planned.get(request), definitions }));
  }
  return done;
}

function rank({ kind }: WriteResult<PlannedUndo>): number {
  return kind === 'unjournalled' ? 1 : 0;
}

/** @throws the journal's own failure. The claim then expires, and the next worker continues. */
async function finish(
  services: UndoServices,
  written: WriteResult<PlannedUndo>,
  {
    first,
    definitions,
  }: { readonly first: UndoReport | undefined; readonly definitions: PropertyDefinitions },
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
    reason: hasFailed ? because('undo-failed', { why: failure }) : undoReason(restored, request, definitions),
    learned: {
      ownership: { released: restored.map(({ property }) => property) },
      ...fingerprintAfter(services, held, { restored, current: plan?.current }),
      // An undo gives no new answer. So a stale record stays stale, and is refreshed.
      ...(staleAtMs !== undefined && { staleAtMs }),
    },
  });
  const restoredNames = new Set(restored.map(({ property }) => property));
  const unrestored = ((plan?.report ?? first)?.restored ?? []).filter(
    ({ property }) => !restoredNames.has(property),
  );
  const refused =
    failure === undefined ? [] : unrestored.map(({ property }) => notTaken({ property, reason: failure }));
  const kept = plan ? plan.report.kept : leftOut.map(notTaken);
  return { ...(plan?.report ?? first), restored, kept: [...kept, ...refused] };
}

/** Returns the reason why HubSpot did not accept the write. */
function failureOf(written: Exclude<WriteResult<PlannedUndo>, { kind: 'unjournalled' }>): string | undefined {
  if (written.kind === 'stopped') return written.error.code;
  const { plan, result } = written;
  if (result === undefined) return Object.keys(plan.writes).length > 0 ? 'not-allowed' : undefined;
  return result.kind === 'written' ? undefined : result.reason;
}

/** Adapts the fingerprint to our own write, so that only a person's change since the last run counts as a change. */
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
