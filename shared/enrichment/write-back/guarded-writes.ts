import {
  type CrmAttempt,
  type CrmRecord,
  type CrmWriteResult,
  type HubSpotFailure,
  type ObjectType,
  type PropertyDefinitions,
  WRITES_AT_ONCE,
} from '#shared/crm';
import { inChunks, SECOND_MS } from '#shared/kernel';
import type { Marks } from '#shared/ownership';
import {
  type Change,
  changeRecord,
  type JournalEntry,
  learnOwnership,
  type RecordState,
} from '#shared/records';
import { type EnrichmentServices, eachAlone, type Failures, type RecordClaim } from '../services.ts';
import { type Recovered, recoverWrites, WRITE_LIFETIME_MS, wasInterrupted } from './by-history.ts';
import type { LeftOut } from './draft.ts';

interface Writing<P extends PlannedWrite> {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
  readonly writer: Writer<P>;
  /** Waits end before this time, epoch milliseconds. */
  readonly untilMs: number;
  /**
   * Set if a person waits for the result. Then an attempt with an unknown result is checked now, and not by a later
   * run.
   */
  readonly awaitsResults?: true;
}

type Services = Pick<
  EnrichmentServices,
  'together' | 'records' | 'journal' | 'crm' | 'clock' | 'digest' | 'ownAppId'
>;

/**
 * Maximum number of failures of HubSpot as a whole, in all groups together. Further attempts would add to an outage.
 */
const MAX_FAILURES = 4;

/** If a worker stalls longer than this time after its read, it reads again, because a value may have changed. */
const STALLED_MS = 5 * SECOND_MS;

/** Maximum number of repeated reads after stalls. Prevents an endless loop if the journal is always slow. */
const MAX_STALLS = 3;

/** Delay after the first failure; it doubles with each failure. HubSpot advises "a few seconds" after a 5xx. */
const BACKOFF_MS = 2 * SECOND_MS;

/**
 * Writes in groups, and repeats failed attempts. HubSpot has no conditional write, so each attempt first reads the
 * properties and applies the policy to them. After an attempt with an unknown result, it first looks up the result in
 * HubSpot's history.
 */
export async function guardedWrites<P extends PlannedWrite>(
  services: Services,
  writing: Writing<P>,
  drafts: readonly P['draft'][],
): Promise<readonly WriteResult<P>[]> {
  const open = [...inChunks(drafts, WRITES_AT_ONCE)];
  const progress: Progress<P> = {
    done: [],
    open,
    failures: 0,
    stalls: 0,
    openUntilMs: new Map(),
    ended: new Map(),
  };
  const guard = { services, writing, progress };
  await attemptAll(guard);
  if (writing.awaitsResults) await resolveOpenAttempts(guard);
  return progress.done;
}

async function attemptAll<P extends PlannedWrite>(guard: Guard<P>): Promise<void> {
  const { open } = guard.progress;
  for (let group = open.shift(); group; group = open.shift()) await attemptGroup(guard, group);
}

/**
 * Plans again when no earlier attempt can arrive any more. Lost writes are then repeated, and people's values are
 * restored.
 */
async function resolveOpenAttempts<P extends PlannedWrite>(guard: Guard<P>): Promise<void> {
  const { services, progress } = guard;
  for (;;) {
    const unresolved = progress.done.filter(hasOpenAttempt);
    if (unresolved.length === 0) return;
    const waitMs = Math.max(...unresolved.map(({ openUntilMs }) => openUntilMs)) - services.clock.now();
    await services.clock.sleep(Math.max(0, waitMs));
    progress.done = progress.done.filter((each) => !hasOpenAttempt(each));
    const drafts = unresolved.map((each) => (each.kind === 'done' ? each.plan.draft : each.draft));
    progress.ended = new Map(
      unresolved.map((each, index) => [drafts[index]?.held.id ?? '', { ...each, openUntilMs: undefined }]),
    );
    progress.failures += 1;
    progress.open.push(drafts);
    await attemptAll(guard);
  }
}

function hasOpenAttempt<P extends PlannedWrite>(
  result: WriteResult<P>,
): result is Exclude<WriteResult<P>, { kind: 'unjournalled' }> & { readonly openUntilMs: number } {
  return result.kind !== 'unjournalled' && result.openUntilMs !== undefined;
}

interface Progress<P extends PlannedWrite> {
  done: WriteResult<P>[];
  /** Groups still to write, in order. */
  readonly open: (readonly P['draft'][])[];
  failures: number;
  stalls: number;
  /** By record id: this worker's attempt with an unknown result, and the time until which it may arrive. */
  readonly openUntilMs: Map<string, number>;
  /** By record id: the result before the unknown attempts were checked. */
  ended: ReadonlyMap<string, WriteResult<P>>;
}

interface Guard<P extends PlannedWrite> {
  readonly services: Services;
  readonly writing: Writing<P>;
  readonly progress: Progress<P>;
}

async function attemptGroup<P extends PlannedWrite>(
  guard: Guard<P>,
  drafts: readonly P['draft'][],
): Promise<void> {
  const { services, progress, writing } = guard;
  const { plans, readAtMs } = await readAndPlan(guard, drafts);
  const differing = plans.filter(({ writes }) => Object.keys(writes).length > 0);
  const unresolved = new Set(differing.filter((plan) => endsUnresolved(guard, plan)));
  const { allowed, failures } = await journalPlans(
    guard,
    differing.filter((plan) => !unresolved.has(plan)),
  );
  for (const [{ draft }, { error }] of failures) progress.done.push({ kind: 'unjournalled', draft, error });
  const hasNoWrite = (plan: P) => !allowed.includes(plan) && !failures.has(plan) && !unresolved.has(plan);
  for (const plan of plans.filter(hasNoWrite)) finishPlan(progress, plan, undefined);
  if (allowed.length === 0) return;
  if (services.clock.monotonic() - readAtMs > STALLED_MS && progress.stalls < MAX_STALLS) {
    progress.stalls += 1;
    progress.open.unshift(allowed.map(({ draft }) => draft));
    return;
  }
  const sentAtMs = services.clock.now();
  const writes = allowed.map(({ draft, writes }) => ({ id: draft.held.id, properties: writes }));
  const attempt = await services.crm.write({ objectType: writing.objectType, writes });
  noteUnconfirmed(progress, { attempt, allowed, untilMs: sentAtMs + WRITE_LIFETIME_MS });
  if (attempt.kind === 'answered') await sortAnswers(guard, allowed, attempt);
  else await waitAndRepeat(guard, allowed, attempt.error);
}

/** Reads the present values and the results of earlier attempts, and plans the writes. */
async function readAndPlan<P extends PlannedWrite>(
  { services, writing, progress }: Guard<P>,
  drafts: readonly P['draft'][],
) {
  const { objectType, definitions, writer } = writing;
  const { openUntilMs: openUntil } = progress;
  const interrupted = drafts.filter(({ held }) => openUntil.has(held.id) || wasInterrupted(held));
  const nowMs = services.clock.now();
  const { recovered, failures } =
    interrupted.length > 0
      ? await recoverWrites(services, { objectType, drafts: interrupted, definitions })
      : { recovered: new Map(), failures: new Map() };
  for (const [draft, { error }] of failures) progress.done.push({ kind: 'unjournalled', draft, error });
  for (const [id, { openUntilMs }] of recovered) {
    // The history was read after the attempt's lifetime, so its result is known.
    if ((openUntil.get(id) ?? 0) <= nowMs) openUntil.delete(id);
    if (openUntilMs > nowMs) noteOpen(progress, id, openUntilMs);
  }
  return writer.plan(
    drafts.filter((draft) => !failures.has(draft)),
    recovered,
  );
}

/**
 * Ends a record if its time or its number of failures is exhausted before its unknown attempt is resolved. A person's
 * lost value is restored in any case.
 */
function endsUnresolved<P extends PlannedWrite>({ services, writing, progress }: Guard<P>, plan: P): boolean {
  const ended = progress.ended.get(plan.draft.held.id);
  const isOver = progress.failures >= MAX_FAILURES || services.clock.now() >= writing.untilMs;
  if (!ended || !isOver || Object.keys(plan.back).length > 0) return false;
  progress.done.push(ended);
  return true;
}

type Answers = Extract<CrmAttempt, { kind: 'answered' }>;

/**
 * Sorts HubSpot's results. HubSpot refuses a whole record for one value, such as an email that another contact has.
 * Such a record is retried without that value. A batch that was refused as a whole is halved until the cause is found.
 */
async function sortAnswers<P extends PlannedWrite>(
  guard: Guard<P>,
  allowed: readonly P[],
  answers: Answers,
): Promise<void> {
  const { services, progress, writing } = guard;
  const byId = new Map(answers.results.map((result) => [result.id, result]));
  const answeredPlans = allowed.flatMap((plan) => {
    const result = byId.get(plan.draft.held.id);
    return result ? [{ plan, result }] : [];
  });
  const unconfirmed = await journalResults(services, answeredPlans);
  const reducedDrafts: P['draft'][] = [];
  for (const each of answeredPlans) {
    const { plan, result } = each;
    const failure = unconfirmed.get(each);
    const reduced = result.kind === 'refused' ? writing.writer.withoutRefused(plan, result) : undefined;
    if (failure) progress.done.push({ kind: 'unjournalled', draft: plan.draft, error: failure.error });
    else if (reduced) reducedDrafts.push(reduced);
    else finishPlan(progress, plan, result);
  }
  const unanswered = allowed.filter(({ draft }) => !byId.has(draft.held.id)).map(({ draft }) => draft);
  const groups =
    unanswered.length === allowed.length
      ? inChunks(unanswered, Math.ceil(unanswered.length / 2))
      : [unanswered];
  progress.open.unshift(...[reducedDrafts, ...groups].filter((group) => group.length > 0));
}

/** Retries after a failure of HubSpot as a whole. After too many failures, the remaining records are not written. */
async function waitAndRepeat<P extends PlannedWrite>(
  { services, writing, progress }: Guard<P>,
  allowed: readonly P[],
  error: HubSpotFailure,
): Promise<void> {
  const drafts = allowed.map(({ draft }) => draft);
  const waitMs = error.retryAfterMs ?? BACKOFF_MS * 2 ** progress.failures;
  progress.failures += 1;
  const isHopeless = !error.retryable || progress.failures >= MAX_FAILURES;
  if (!isHopeless && services.clock.now() + waitMs < writing.untilMs) {
    await services.clock.sleep(waitMs);
    progress.open.unshift(drafts);
    return;
  }
  for (const draft of [...drafts, ...progress.open.splice(0).flat()]) {
    const openUntilMs = progress.openUntilMs.get(draft.held.id);
    progress.done.push({ kind: 'stopped', draft, error, openUntilMs });
  }
}

interface Attempted {
  readonly attempt: CrmAttempt;
  readonly allowed: readonly PlannedWrite[];
  readonly untilMs: number;
}

/**
 * Notes attempts with an unknown result. Ignores writes that have only statuses. Only we write statuses, so a late
 * write of them does no harm.
 */
function noteUnconfirmed<P extends PlannedWrite>(
  progress: Progress<P>,
  { attempt, allowed, untilMs }: Attempted,
): void {
  if (attempt.kind === 'failed' && !attempt.mayHaveArrived) return;
  // If HubSpot failed at one record, it may still have written this record.
  const finalResults =
    attempt.kind === 'answered' ? attempt.results.filter(({ kind }) => kind !== 'postponed') : [];
  const knownIds =
    attempt.kind === 'answered' ? [...finalResults.map(({ id }) => id), ...attempt.untouched] : [];
  for (const { draft, filled, back } of allowed) {
    const { id } = draft.held;
    const hasValues = filled.length > 0 || Object.keys(back).length > 0;
    if (hasValues && !knownIds.includes(id)) noteOpen(progress, id, untilMs);
  }
}

function noteOpen<P extends PlannedWrite>({ openUntilMs }: Progress<P>, id: string, untilMs: number): void {
  openUntilMs.set(id, Math.max(untilMs, openUntilMs.get(id) ?? 0));
}

function finishPlan<P extends PlannedWrite>(
  progress: Progress<P>,
  plan: P,
  result: CrmWriteResult | undefined,
): void {
  const openUntilMs = progress.openUntilMs.get(plan.draft.held.id);
  progress.done.push({ kind: 'done', plan, result, openUntilMs });
}

type JournalServices = Pick<EnrichmentServices, 'together' | 'records' | 'journal' | 'clock'>;

interface Journalling<P extends PlannedWrite> {
  readonly services: JournalServices;
  readonly writing: { readonly writer: Pick<Writer<P>, 'entryOf' | 'disclose'> };
  /** By record id: the time until which an earlier attempt may still arrive. */
  readonly progress: { readonly openUntilMs: ReadonlyMap<string, number> };
}

/**
 * Stores the planned writes in the records' states and in the journal.
 * @returns the plans that are safe to write. A forgotten person, or a record that another worker holds, gets no write.
 */
async function journalPlans<P extends PlannedWrite>(
  { services, writing, progress }: Journalling<P>,
  planned: readonly P[],
): Promise<{ readonly allowed: readonly P[]; readonly failures: Failures<P> }> {
  const allowed = new Set<P>();
  const failures = await eachAlone(planned, async (plan) => {
    const untilMs = progress.openUntilMs.get(plan.draft.held.id);
    const isPlanned = await services.together(async () => {
      if (!(await storeRestored(services, plan))) return false;
      const entry = {
        ...writing.writer.entryOf(plan),
        ...(untilMs !== undefined && { openUntilMs: untilMs }),
      };
      if ((await services.journal.plan(entry)) !== 'planned') return false;
      await writing.writer.disclose?.(plan);
      return true;
    });
    if (isPlanned) allowed.add(plan);
  });
  return { allowed: planned.filter((plan) => allowed.has(plan)), failures };
}

/** Stores restored values before the write, so that after a crash the next run does not replace them again. */
async function storeRestored(
  services: JournalServices,
  { draft: { held }, broughtBack }: PlannedWrite,
): Promise<boolean> {
  if (Object.keys(broughtBack).length === 0) return true;
  const owner = held.state.claim?.owner;
  const { state } = await changeRecord(services, held, (known): { state?: RecordState } =>
    known.claim?.owner === owner ? { state: learnOwnership(known, { ownership: { broughtBack } }) } : {},
  );
  return state !== undefined;
}

/** A plan with HubSpot's result. */
interface PlanResult {
  readonly plan: PlannedWrite;
  readonly result: CrmWriteResult;
}

/** Stores HubSpot's results in the journal. A postponed write stays planned. */
async function journalResults<R extends PlanResult>(
  { journal }: JournalServices,
  results: readonly R[],
): Promise<Failures<R>> {
  return eachAlone(results, async ({ plan, result }) => {
    const { held } = plan.draft;
    const run = held.state.runsOpened;
    if (result.kind === 'written')
      await journal.confirm(held, run, { stored: storedOf(plan, result.properties) });
    if (result.kind === 'refused') await journal.confirm(held, run, { refused: Object.keys(plan.writes) });
  });
}

/** Returns the values as HubSpot returned them, or as they were sent if HubSpot did not return them. */
function storedOf({ writes }: PlannedWrite, returned: Readonly<Record<string, string | null>>) {
  return Object.fromEntries(
    Object.entries(writes).map(([property, sent]) => [property, returned[property] ?? sent]),
  );
}

interface Changing extends Pick<PlannedWrite, 'writes' | 'back'> {
  readonly current: CrmRecord | string | undefined;
}

/** Returns the writes as the journal stores them before they are sent. */
export function plannedChanges({ current, writes, back }: Changing): Change[] {
  const seen = typeof current === 'object' ? current : undefined;
  return Object.entries(writes).map(([property, after]) => ({
    property,
    before: seen?.properties[property] ?? null,
    after,
    state: 'planned',
    ...(seen?.updatedAtMs !== undefined && { seenAtMs: seen.updatedAtMs }),
    ...(Object.hasOwn(back, property) && { undone: true }),
  }));
}

/** Planned writes of one record. */
export interface PlannedWrite {
  /** Input of the plan. Each attempt plans again from this input. */
  readonly draft: { readonly held: RecordClaim };
  readonly writes: Readonly<Record<string, string>>;
  /** Properties that are written, without statuses. */
  readonly filled: readonly string[];
  /** Writes that restore people's values which our writes had replaced. */
  readonly back: Readonly<Record<string, string>>;
  /** Values that count as a person's from now on. They are stored in the record's state before the write. */
  readonly broughtBack: Marks;
}

/** Plans the writes, from an answer or from the journal. */
export interface Writer<P extends PlannedWrite> {
  /**
   * Reads the present records, and plans the differences.
   * @returns the plans, and the monotonic time just before the read.
   */
  readonly plan: (
    drafts: readonly P['draft'][],
    recovered: Recovered,
  ) => Promise<{ readonly plans: readonly P[]; readonly readAtMs: number }>;
  readonly entryOf: (plan: P) => JournalEntry;
  /** Records the disclosure of a person's data before the write. */
  readonly disclose?: (plan: P) => Promise<void>;
  /** Returns the draft without the properties that HubSpot refused; `undefined` if none can be left out. */
  readonly withoutRefused: (
    plan: P,
    result: Extract<CrmWriteResult, { kind: 'refused' }>,
  ) => P['draft'] | undefined;
}

/** Result of one draft. */
export type WriteResult<P extends PlannedWrite> =
  | {
      readonly kind: 'done';
      readonly plan: P;
      readonly result: CrmWriteResult | undefined;
      /** Until this time an earlier attempt may still arrive, so it must be checked again. Epoch milliseconds. */
      readonly openUntilMs?: number | undefined;
    }
  /** HubSpot as a whole failed too often, or the time ran out. */
  | {
      readonly kind: 'stopped';
      readonly draft: P['draft'];
      readonly error: HubSpotFailure;
      readonly openUntilMs?: number | undefined;
    }
  /** The journal failed. Nothing is sent, because a write without an entry could never be undone. */
  | { readonly kind: 'unjournalled'; readonly draft: P['draft']; readonly error: unknown };

/** A write of an undo or of a removal, which removes our values. */
interface TakeBackWrite extends PlannedWrite {
  readonly draft: PlannedWrite['draft'] & { readonly leftOut?: readonly LeftOut[] | undefined };
}

/** Returns the draft without the properties that HubSpot refused; `undefined` if none can be left out. */
export function withoutRefusedReturns<P extends TakeBackWrite>(
  { draft, writes, back }: P,
  { properties, reason }: Extract<CrmWriteResult, { kind: 'refused' }>,
): P['draft'] | undefined {
  const refused = properties.filter((name) => Object.hasOwn(writes, name) && !Object.hasOwn(back, name));
  if (refused.length === 0) return undefined;
  const leftOut = refused.map((property) => ({ property, reason }));
  return { ...draft, leftOut: [...(draft.leftOut ?? []), ...leftOut] };
}

interface StatusInput {
  readonly definitions: PropertyDefinitions;
  readonly current: CrmRecord | undefined;
  readonly leftOut?: readonly LeftOut[] | undefined;
}

/** Returns the statuses to write: the portal has the property, shows another value, and did not refuse this one. */
export function differingStatuses(
  statuses: Readonly<Record<string, string>>,
  { definitions, current, leftOut = [] }: StatusInput,
): Record<string, string> {
  const mustBeWritten = ([property, value]: [string, string]) =>
    definitions.has(property) &&
    (current?.properties[property] ?? '') !== value &&
    !leftOut.some((each) => each.property === property);
  return Object.fromEntries(Object.entries(statuses).filter(mustBeWritten));
}
