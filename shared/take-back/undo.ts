import type { ObjectType, PropertyDefinitions } from '#shared/crm';
import { fingerprintOf, type RecordClaim, settleRecord } from '#shared/enrichment';
import { ENRICHMENT_STATUSES, type EnrichmentStatus } from '#shared/field-policy';
import { assert, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { because, explanationText, livingState, type RecordState, withNotes } from '#shared/records';
import {
  broughtBack,
  type KeptByUndo,
  notTaken,
  planUndos,
  type UndoPlan,
  type UndoRequest,
} from './plan-undo.ts';
import {
  type PlannedFor,
  type TakeBackServices,
  type TakenBack,
  type TakingBack,
  takeBack,
  type Wanted,
} from './take-back.ts';

export interface UndoReport extends Pick<UndoPlan, 'before' | 'kept'> {
  readonly restored: readonly {
    readonly property: string;
    readonly from: string;
    readonly to: string | null;
  }[];
}

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

/**
 * Restores the values before our writes, if the present value is still ours. Restored values then count as a person's.
 * @returns the results in the order of the requests.
 */
export async function undoRecords(
  services: TakeBackServices,
  { objectType, requests, dryRun = false }: Undo,
): Promise<readonly UndoResult[]> {
  const wanted = await Promise.all(
    requests.map(async (wish) => ({ wish, state: await livingState(services, { objectType, id: wish.id }) })),
  );
  const living = wanted.filter(({ state }) => state.forgottenAtMs === undefined);
  const plans = new Map(
    (await planUndos(services, objectType, living)).map((plan, at) => [living[at]?.wish, plan]),
  );
  const needsWrite = ({ wish }: Wanted<UndoRequest>) => {
    const plan = plans.get(wish);
    return plan !== undefined && (Object.keys(plan.values).length > 0 || hasOutdatedStatus(wish, plan));
  };
  const writing = dryRun ? [] : living.filter(needsWrite);
  // A worker may have written since the first read, so each undo is planned again after the claim.
  const results = await takeBack(services, undoing(plans), { objectType, wanted: writing });
  const done = new Map(writing.map(({ wish }, at) => [wish, results[at]]));
  return wanted.map(({ wish, state }): UndoResult => {
    const plan = plans.get(wish);
    const result = done.get(wish) ?? (plan ? reportOf(plan) : 'forgotten');
    const isMerged = typeof result !== 'string' && state.id !== wish.id;
    return isMerged ? { ...result, mergedInto: state.id } : result;
  });
}

/** Undoes the runs of one record. */
export async function undoRecord(
  services: TakeBackServices,
  { objectType, dryRun, ...request }: Omit<Undo, 'requests'> & UndoRequest,
): Promise<UndoResult> {
  const [result] = await undoRecords(services, { objectType, dryRun, requests: [request] });
  assert(result !== undefined, 'each request has its result');
  return result;
}

/** Whether HubSpot still shows the answer's source, the next check, or a review status. */
function hasOutdatedStatus({ isWrongMatch, isRejection }: UndoRequest, plan: UndoPlan): boolean {
  const shown = plan.current?.properties ?? {};
  const showsAnswer = Boolean(shown['enrichment_source'] || shown['enrichment_next_check_at']);
  const isWaiting = isRejection === true && shown['enrichment_status'] === 'review';
  return isWaiting || (showsAnswer && (isWrongMatch || (isRejection && plan.leavesNothing)) === true);
}

function reportOf({ values, current, kept, before }: UndoPlan): UndoReport {
  const restored = Object.entries(values).map(([property, to]) => {
    return { property, from: current?.properties[property] ?? '', to: to === '' ? null : to };
  });
  return { restored, kept, ...(before && { before }) };
}

/** Uses the journal instead of an answer, and ignores the policy's field rules. */
function undoing(
  first: ReadonlyMap<UndoRequest | undefined, UndoPlan>,
): TakingBack<TakeBackServices, UndoRequest, UndoPlan, UndoResult> {
  return {
    claimMs: 2 * MINUTE_MS,
    settleMs: 10 * SECOND_MS,
    holding: ({ askedBy }) => ({ askedBy }),
    plan: planUndos,
    theirs: (values) => values,
    statuses: statusesAfter,
    entry: ({ draft: { wish }, plan, definitions }) => ({
      kind: 'undo',
      outcome: 'unchanged',
      eventKeys: wish.eventKey === undefined ? [] : [wish.eventKey],
      ...(wish.askedBy !== undefined && { askedBy: wish.askedBy }),
      reason: undoReason(Object.keys(plan.values), { wish, plan, definitions }),
    }),
    finish: (services, taken) => finish(services, taken, first.get(taken.draft.wish)),
  };
}

/** Settles the run, and reports by the journal, which also has the values that an earlier attempt restored. */
async function finish(
  services: TakeBackServices,
  { draft: { held, wish, leftOut = [] }, planned, failure, definitions }: TakenBack<UndoRequest, UndoPlan>,
  first: UndoPlan | undefined,
): Promise<UndoResult> {
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
  const names = restored.map(({ property }) => property);
  const plan = planned?.plan;
  const hasFailed = failure !== undefined && restored.length === 0;
  const { staleAtMs } = held.state;
  const leavesNothing = plan?.leavesNothing === true && failure === undefined;
  await settleRecord(services, held, {
    kind: 'outcome',
    credits: held.run.credits,
    outcome: hasFailed ? 'failed' : leavesNothing ? outcomeAfter(wish) : 'unchanged',
    status: hasFailed || leavesNothing ? undefined : statusAfter(wish, plan?.current),
    reason: hasFailed
      ? because('undo-failed', { why: failure })
      : undoReason(names, { wish, plan, definitions }),
    learned: {
      ownership: { released: names },
      ...fingerprintAfter(services, held, { restored, current: plan?.current }),
      // An undo gives no new answer. So a stale record stays stale, and is refreshed.
      ...(staleAtMs !== undefined && { staleAtMs }),
    },
  });
  const wanted = Object.keys((plan ?? first)?.values ?? {});
  const unrestored = wanted.filter((property) => !names.includes(property));
  const refused =
    failure === undefined ? [] : unrestored.map((property) => notTaken({ property, reason: failure }));
  const kept: readonly KeptByUndo[] = plan ? plan.kept : leftOut.map(notTaken);
  const before = (plan ?? first)?.before;
  return { restored, kept: [...kept, ...refused], ...(before && { before }) };
}

/** Adapts the fingerprint to our own write, so that only a person's change since the last run counts as a change. */
function fingerprintAfter(
  services: TakeBackServices,
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

/** Returns the statuses after an undo. A record without our values must not count as enriched. */
function statusesAfter({
  draft: { wish },
  plan,
  definitions,
  isWritten,
}: PlannedFor<UndoRequest, UndoPlan> & { readonly isWritten: boolean }): Record<string, string> {
  if (!isWritten && !wish.isWrongMatch && !wish.isRejection) return {};
  const { values, leavesNothing, left, current } = plan;
  const status = leavesNothing ? outcomeAfter(wish) : statusAfter(wish, current);
  return {
    enrichment_reason: explanationText(undoReason(Object.keys(values), { wish, plan, definitions })),
    ...(status !== undefined && { enrichment_status: status }),
    ...((leavesNothing || wish.isWrongMatch) && { enrichment_source: left?.operation ?? '' }),
    // Without a value of ours, no next check is due.
    ...(leavesNothing && { enrichment_next_check_at: '' }),
    // No data about this person were obtained.
    ...(leavesNothing && wish.isWrongMatch && { enrichment_first_at: '', enrichment_notice_due: '' }),
  };
}

/**
 * Returns `enrichment_status` after an undo that leaves some of our values. The status stays, but a rejected answer no
 * longer needs review: the record is enriched by the others.
 */
function statusAfter(
  { isRejection }: UndoRequest,
  current: UndoPlan['current'],
): EnrichmentStatus | undefined {
  const shown = current?.properties['enrichment_status'];
  if (isRejection && shown === 'review') return 'enriched';
  return ENRICHMENT_STATUSES.find((status) => status === shown);
}

/** Outcome of a record without any value of ours. */
function outcomeAfter({ isWrongMatch }: UndoRequest): 'unmatched' | 'skipped' {
  return isWrongMatch ? 'unmatched' : 'skipped';
}

interface Undone {
  readonly wish: UndoRequest;
  readonly plan: UndoPlan | undefined;
  readonly definitions: PropertyDefinitions;
}

/** Says what an undo brought back, with HubSpot's labels of the properties, and whether other values of ours stay. */
function undoReason(
  properties: readonly string[],
  { wish: { isWrongMatch, isRejection }, plan, definitions }: Undone,
): Explanation {
  const labels = properties.map((property) => definitions.get(property)?.label ?? property);
  const undone = labels.length === 0 ? [] : [because('undone', { labels })];
  if (!isWrongMatch && !isRejection) return undone[0] ?? because('nothing-to-undo');
  const others = plan?.leavesNothing === false ? [because('others-stay')] : [];
  const rejected = because(isWrongMatch ? 'rejected-by-person' : 'answer-rejected');
  return withNotes(rejected, [...undone, ...others]);
}
