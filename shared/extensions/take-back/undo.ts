import type { ObjectType, PropertyDefinitions } from '#shared/crm';
import type { RecordClaim } from '#shared/enrichment';
import {
  backOf,
  broughtBackOf,
  differingStatuses,
  fingerprintOf,
  guardedWrites,
  holdRecord,
  isStatus,
  NOTHING_RECOVERED,
  type PlannedWrite,
  plannedChanges,
  type RecoveredRecord,
  settleRecord,
  WRITE_LIFETIME_MS,
  type WriteResult,
  type Writer,
  withoutRefusedReturns,
} from '#shared/enrichment';
import { createMark, ENRICHMENT_STATUSES, type EnrichmentStatus } from '#shared/field-policy';
import { assert, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import {
  because,
  explanationText,
  type JournalEntry,
  livingState,
  type RecordState,
  withNotes,
} from '#shared/records';
import {
  broughtBack,
  notTaken,
  planUndos,
  type ToUndo,
  type UndoPlan,
  type UndoReport,
  type UndoRequest,
  type UndoServices,
} from './plan-undo.ts';

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
    property,
    from: before ?? '',
    to: after === '' ? null : after,
  }));
  const plan = written.kind === 'done' ? written.plan : undefined;
  const hasFailed = failure !== undefined && restored.length === 0;
  const { staleAtMs } = held.state;
  const leavesNothing = plan?.leavesNothing === true && failure === undefined;
  await settleRecord(services, held, {
    kind: 'outcome',
    credits: held.run.credits,
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

interface UndoDraft extends Omit<ToUndo, 'state'> {
  readonly held: RecordClaim;
}

/** A plan to write former values from the journal over our own values. */
interface PlannedUndo extends PlannedWrite, UndoPlan {
  readonly draft: UndoDraft;
}

interface Portal {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
}

/**
 * Restores the values before our writes. It uses the journal instead of an answer, and ignores the policy's field
 * rules.
 */
function undoWriter(services: UndoServices, portal: Portal): Writer<PlannedUndo> {
  return {
    plan: async (drafts, recovered) => {
      const readAtMs = services.clock.monotonic();
      const wanted = drafts.map(({ held, ...rest }) => ({ state: held.state, ...rest }));
      const plans = await planUndos(services, portal.objectType, wanted);
      const planned = drafts.flatMap((draft, index) => {
        const plan = plans[index];
        const before = recovered.get(draft.held.id) ?? NOTHING_RECOVERED;
        return plan ? [plannedUndo(services, { draft, plan, before, ...portal })] : [];
      });
      return { plans: planned, readAtMs };
    },
    entryOf: (plan) => entryOf(services, plan, portal),
    withoutRefused: withoutRefusedReturns,
  };
}

interface Planning extends Portal {
  readonly draft: UndoDraft;
  readonly plan: UndoPlan;
  readonly before: RecoveredRecord;
}

function plannedUndo(services: UndoServices, { draft, plan, before, definitions }: Planning): PlannedUndo {
  const { report, current } = plan;
  const mark = createMark({ definitions, hash: services.digest.keyed });
  const willRestore = ([property, lost]: [string, string]) =>
    report.restored.some((each) => each.property === property && (each.to ?? '') === lost);
  // Leaves out values that this undo restores anyway.
  const lost = Object.entries(current ? backOf(before, current) : {}).filter((each) => !willRestore(each));
  const lostValues = Object.fromEntries(lost);
  const restored = report.restored.filter(({ property }) => !Object.hasOwn(lostValues, property));
  const values = {
    ...Object.fromEntries(restored.map(({ property, to }) => [property, to ?? ''])),
    ...lostValues,
  };
  const { isWrongMatch, isRejection } = draft.request;
  const isWritten = Object.keys(values).length > 0 || isWrongMatch === true || isRejection === true;
  return {
    ...plan,
    report: { ...report, restored },
    draft,
    back: lostValues,
    writes: isWritten ? { ...values, ...statusesOf(draft, { ...plan, definitions, restored }) } : {},
    filled: restored.map(({ property }) => property),
    broughtBack: {
      ...Object.fromEntries(restored.map(({ property, to }) => [property, mark(property, to)])),
      ...broughtBackOf(before, mark),
    },
  };
}

interface StatusInput extends Pick<Portal, 'definitions'>, Pick<UndoReport, 'restored'> {
  readonly leavesNothing: boolean;
  readonly current: UndoPlan['current'];
}

/** Returns the statuses after an undo. A record without our values must not count as enriched. */
function statusesOf({ leftOut, request }: UndoDraft, input: StatusInput): Record<string, string> {
  const { definitions, restored, leavesNothing, current } = input;
  const clearsAnswer = leavesNothing || request.isWrongMatch === true;
  const status = leavesNothing ? outcomeAfter(request) : statusAfter(request, current);
  const statuses = {
    enrichment_reason: explanationText(undoReason(restored, request, definitions)),
    ...(status !== undefined && { enrichment_status: status }),
    ...(clearsAnswer && { enrichment_source: '', enrichment_next_check_at: '' }),
    // No data about this person were obtained.
    ...(leavesNothing && request.isWrongMatch && { enrichment_first_at: '', enrichment_notice_due: '' }),
  };
  return differingStatuses(statuses, { definitions, current, leftOut });
}

/**
 * Returns `enrichment_status` after an undo that leaves some of our values. The status stays, but a rejected answer no
 * longer needs review.
 */
function statusAfter(
  { isRejection }: UndoDraft['request'],
  current: UndoPlan['current'],
): EnrichmentStatus | undefined {
  const shown = current?.properties['enrichment_status'];
  if (isRejection && shown === 'review') return 'unchanged';
  return ENRICHMENT_STATUSES.find((status) => status === shown);
}

/** Outcome of a record without any value of ours. */
function outcomeAfter({ isWrongMatch }: UndoDraft['request']): 'unmatched' | 'skipped' {
  return isWrongMatch ? 'unmatched' : 'skipped';
}

/** Says what an undo brought back, with HubSpot's labels of the properties. */
function undoReason(
  restored: readonly { readonly property: string }[],
  { isWrongMatch, isRejection }: Pick<UndoDraft['request'], 'isWrongMatch' | 'isRejection'>,
  definitions: PropertyDefinitions,
): Explanation {
  const labels = restored.map(({ property }) => definitions.get(property)?.label ?? property);
  const undone = labels.length === 0 ? [] : [because('undone', { labels })];
  if (isWrongMatch) return withNotes(because('rejected-by-person'), undone);
  if (isRejection) return withNotes(because('answer-rejected'), undone);
  return undone[0] ?? because('nothing-to-undo');
}

function entryOf(
  { policy, clock }: UndoServices,
  plan: PlannedUndo,
  { definitions }: Pick<Portal, 'definitions'>,
): JournalEntry {
  const { held, request } = plan.draft;
  const { objectType, id, state, run } = held;
  const nowMs = clock.now();
  return {
    objectType,
    id,
    kind: 'undo',
    purpose: 'manual',
    outcome: 'unchanged',
    run: state.runsOpened,
    policyVersion: policy.version,
    atMs: nowMs,
    sentAtMs: nowMs,
    eventKeys: request.eventKey === undefined ? [] : [request.eventKey],
    ...(request.askedBy !== undefined && { askedBy: request.askedBy }),
    credits: run.credits,
    reason: undoReason(plan.report.restored, request, definitions),
    changes: plannedChanges(plan).filter(({ property }) => !isStatus(property)),
  };
}
