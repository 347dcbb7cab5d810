import type { ObjectType, PropertyDefinitions } from '#shared/crm';
import {
  arrivedOf,
  fingerprintOf,
  isStatus,
  type LeftOut,
  type RecordClaim,
  settleRecord,
} from '#shared/enrichment';
import {
  createExactForm,
  createNormalise,
  ENRICHMENT_STATUSES,
  type EnrichmentStatus,
} from '#shared/field-policy';
import { assert, MINUTE_MS, SECOND_MS, unreachable } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import {
  because,
  type Change,
  explanationText,
  isUndo,
  type JournalEntry,
  leaves,
  livingState,
  type RecordState,
  runName,
  withNotes,
  withResult,
} from '#shared/records';
import {
  type Facts,
  type NotOurs,
  type PlannedFor,
  readFacts,
  type TakeBackPlan,
  type TakeBackServices,
  type TakenBack,
  type TakingBack,
  takeBack,
  type Wanted,
  whyNotOurs,
} from './take-back.ts';

type IsChosen = (entry: JournalEntry, property: string) => boolean;

export interface UndoRequest {
  readonly id: string;
  /** Selects the writes to undo, among the runs of the record and of records that were merged into it. */
  readonly isChosen: IsChosen;
  /** Key of the request for this undo. A repeated request has the same key. */
  readonly eventKey?: string | undefined;
  /** The asker, as `readAsker` reads it. */
  readonly askedBy?: string | undefined;
  /** Undoes only this property. */
  readonly property?: string | undefined;
  /** Set if a person says that the answer is about another person or company. */
  readonly isWrongMatch?: true | undefined;
  /** Set if a person rejected a review item. Then the statuses in HubSpot no longer show the answer. */
  readonly isRejection?: true;
}

export interface KeptByUndo extends NotOurs {
  readonly property: string;
}

/** Its values are those before our writes. */
export interface UndoPlan extends TakeBackPlan {
  /** Properties that stay as they are, with the reason. */
  readonly kept: readonly KeptByUndo[];
  /** Properties that an interrupted attempt at the same request restored. */
  readonly before?: readonly string[];
  /** Whether the record holds no value of ours after the undo. */
  readonly leavesNothing: boolean;
  /** The newest answer whose values the record then holds; absent if the journal names none. */
  readonly left: JournalEntry['question'];
}

/**
 * Plans the undo of records of one object type, by their current values.
 * @returns the plans in the given order.
 */
async function planUndos(
  services: TakeBackServices,
  objectType: ObjectType,
  wanted: readonly Wanted<UndoRequest>[],
): Promise<readonly UndoPlan[]> {
  const states = wanted.map(({ state }) => state);
  const namesOf = (_: RecordState, entries: readonly JournalEntry[]) => writtenProperties(entries);
  const facts = await readFacts(services, objectType, { states, namesOf });
  return wanted.flatMap((each, at) => {
    const known = facts[at];
    return known ? [planUndo(services, each, known)] : [];
  });
}

function planUndo(
  services: TakeBackServices,
  { state, wish, leftOut = [] }: Wanted<UndoRequest>,
  known: Facts,
): UndoPlan {
  const { current, definitions } = known;
  const properties = current?.properties ?? {};
  const normalise = createNormalise(definitions);
  // For a write with an unknown result, HubSpot's current value decides.
  const entries = known.entries.map((entry) =>
    withResult(entry, { stored: arrivedOf(entry, { properties, normalise }) }),
  );
  const values: Record<string, string> = {};
  const kept: KeptByUndo[] = leftOut.map(notTaken);
  for (const [property, target] of undoTargets(entries, { ...wish, current: properties })) {
    if (leftOut.some((each) => each.property === property)) continue;
    const why = reasonOf(target, state) ?? reasonToKeep(services, { ...known, state, property, target });
    if (why) kept.push({ property, ...why });
    else if (target.kind === 'restore') values[property] = target.to ?? '';
  }
  const allTargets = undoTargets(entries, { isChosen: () => true, current: properties });
  const remaining = [...allTargets].filter(([property, target]) => {
    const isOurs = reasonToKeep(services, { ...known, state, property, target }) === undefined;
    return isOurs && !Object.hasOwn(values, property);
  });
  const answers = remaining.flatMap(([, { by }]) => by.question ?? []);
  const left = answers.sort((a, b) => a.askedAtMs - b.askedAtMs).at(-1);
  const { eventKey } = wish;
  const before = eventKey && entries.flatMap((entry) => broughtBackFor(eventKey, entry));
  return { values, kept, ...(before && { before }), leavesNothing: remaining.length === 0, left, current };
}

function notTaken({ property, reason }: LeftOut): KeptByUndo {
  return { property, code: 'refused', reason: `HubSpot refused it: ${reason}` };
}

function broughtBackFor(eventKey: string, entry: JournalEntry): string[] {
  return entry.eventKeys.includes(eventKey) ? broughtBack(entry).map(({ property }) => property) : [];
}

/** Returns the known writes of an undo, without the statuses. */
function broughtBack(entry: JournalEntry): JournalEntry['changes'] {
  return entry.changes.filter(
    (change) => isUndo(entry, change) && change.state === 'written' && !isStatus(change.property),
  );
}

function reasonOf(target: UndoTarget, state: RecordState): NotOurs | undefined {
  switch (target.kind) {
    case 'restore':
      return undefined;
    case 'written-later':
      return {
        code: 'written-later',
        reason: `${runName(target.by, state)} wrote it again, and is not part of this undo`,
      };
    case 'too-long':
      return { code: 'too-long', reason: 'the former value was too long to be stored whole' };
    default:
      return unreachable(target);
  }
}

type Seen = Parameters<typeof whyNotOurs>[1];

/** Explains why it is not proved that a value is ours to undo; `undefined` if it is proved. */
function reasonToKeep(
  services: TakeBackServices,
  { target, ...seen }: Seen & { readonly target: UndoTarget },
): NotOurs | undefined {
  if (target.kind !== 'restore') return whyNotOurs(services, seen);
  const exactForm = createExactForm(seen.definitions);
  return whyNotOurs(services, seen, (value) => {
    const isThatForm = exactForm(seen.property, value) === exactForm(seen.property, target.wrote.after);
    return leaves(target.wrote, value) || isThatForm;
  });
}

/**
 * Target of an undo: the value before the chosen writes, or the reason why it cannot be restored. `by` is the run of the
 * newest write.
 */
type UndoTarget = { readonly by: JournalEntry } & (
  | /** `wrote` is the write whose value HubSpot must still have. */
  { readonly kind: 'restore'; readonly to: string | null; readonly wrote: Change }
  /** The former value was too long for the journal. */
  | { readonly kind: 'written-later' | 'too-long' }
);

interface Chosen {
  readonly isChosen: IsChosen;
  readonly property?: string | undefined;
  /** HubSpot's values. After a merge, they show whose write a value comes from. */
  readonly current?: Readonly<Record<string, string | null>> | undefined;
}

/**
 * Returns the undo target of every property that a chosen run wrote. An undo starts from our newest write. Consecutive
 * chosen writes are undone to the value before the first. Our own statuses are never undone.
 */
export function undoTargets(
  entries: readonly JournalEntry[],
  { isChosen, property: onlyProperty, current = {} }: Chosen,
): ReadonlyMap<string, UndoTarget> {
  const targets = new Map<string, UndoTarget>();
  for (const [property, writes] of writesOf(entries)) {
    if (onlyProperty !== undefined && onlyProperty !== property) continue;
    const newest =
      writes.findLast(({ change }) => leaves(change, current[property] ?? null)) ?? writes.at(-1);
    const writesUpToNewest = newest ? writes.slice(0, writes.indexOf(newest) + 1) : [];
    const target = targetOf(writesUpToNewest, (entry) => isChosen(entry, property));
    if (target) targets.set(property, target);
  }
  return targets;
}

/** Returns the written properties of the entries, without refused ones and our statuses. */
export function writtenProperties(entries: readonly JournalEntry[]): readonly string[] {
  return [
    ...new Set(entries.flatMap(({ changes }) => changes.filter(isUndoable).map(({ property }) => property))),
  ];
}

function isUndoable({ property, state }: Change): boolean {
  return state !== 'refused' && !isStatus(property);
}

interface Write {
  readonly entry: JournalEntry;
  readonly change: Change;
}

/** Returns the writes of each property, oldest first. */
function writesOf(entries: readonly JournalEntry[]): ReadonlyMap<string, readonly Write[]> {
  // A removal cannot be undone, and its entry holds no value.
  const writing = entries.filter(({ kind }) => kind !== 'removal');
  const writes = writing.flatMap((entry) =>
    entry.changes
      .filter((change) => isUndoable(change) && change.state === 'written')
      .map((change) => ({ entry, change })),
  );
  return Map.groupBy(writes, ({ change }) => change.property);
}

function targetOf(
  writes: readonly Write[],
  isChosen: (entry: JournalEntry) => boolean,
): UndoTarget | undefined {
  const newest = writes.at(-1);
  if (!newest || !writes.some(({ entry }) => isChosen(entry))) return undefined;
  if (isUndo(newest.entry, newest.change)) return undefined;
  const by = newest.entry;
  if (!isChosen(by)) return { kind: 'written-later', by };
  const { before, cut } = firstOf(writes, { newest, isChosen }).change;
  if (cut?.includes('before')) return { kind: 'too-long', by };
  return { kind: 'restore', to: before, wrote: newest.change, by };
}

/** Returns the first of the consecutive chosen writes up to the newest. */
function firstOf(
  writes: readonly Write[],
  { newest, isChosen }: { readonly newest: Write; readonly isChosen: (entry: JournalEntry) => boolean },
): Write {
  let first = newest;
  for (const earlier of writes.slice(0, -1).reverse()) {
    const { entry, change } = earlier;
    // Another value was written between these two writes. That value is restored.
    if (!leaves(change, first.change.before)) {
      // The other record of a merge has its own sequence of values.
      if (entry.id !== first.entry.id) continue;
      break;
    }
    if (isUndo(entry, change) || !isChosen(entry)) break;
    first = earlier;
  }
  return first;
}

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
