import { createNormalise } from '../field-policy/normal-form.ts';
import { rememberedText } from '../field-policy/remember.ts';
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { changeRecord } from '../records/change-record.ts';
import type { CrmWriteResult } from '../records/crm.ts';
import type { Change, JournalEntry } from '../records/journal-entry.ts';
import type { RecordState } from '../records/record-state.ts';
import { type Arrival, arrive, type Claim, type Learned } from '../records/transitions.ts';
import { moreUrgent } from '../work-queue/lane.ts';
import type { Held } from './deps.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type PlannedUndo, planUndo, type UndoDeps, type UndoReport, type UndoRequest } from './plan-undo.ts';
import { livingState } from './record-history.ts';
import { settleRecord } from './settle-record.ts';

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
/** Kept for the ending after HubSpot's last answer. */
const SETTLE_MS = 10 * SECOND_MS;

/**
 * Brings back what was there before our writes, where the value is still the one that we wrote. What was brought back
 * counts as a person's from then on. Nobody enriches the record meanwhile; a run that waited goes on afterwards.
 */
export async function undoRecord(deps: UndoDeps, request: UndoRequest): Promise<UndoResult> {
  const state = await livingState(deps, request);
  if (state.forgottenAtMs !== undefined) return 'forgotten';
  const merged = state.id === request.id ? {} : { mergedInto: state.id };
  const planned = await planUndo(deps, state, request);
  if (request.dryRun || planned.report.restored.length === 0) return { ...planned.report, ...merged };
  const nowMs = deps.clock.now();
  const claimed = await changeRecord(deps.records, state, (current) =>
    claim(current, {
      ...{ purpose: current.run?.purpose ?? 'live', eventKeys: [], claimMs: CLAIM_MS, nowMs },
      ...{ owner: deps.newId(), runId: deps.newId() },
    }),
  );
  if (claimed.kind !== 'claimed') return 'busy';
  const timely = { ...deps, crm: deps.crm.until(nowMs + CLAIM_MS - SETTLE_MS) };
  const { objectType, id } = state;
  const held = { objectType, id, state: claimed.state, run: claimed.run };
  // Planned anew: what was read before the claim may have been written over by the worker that had it.
  const report = await restore(timely, held, await planUndo(timely, claimed.state, request));
  return typeof report === 'string' ? report : { ...report, ...merged };
}

/** A run that was open already is taken over, and the next one is due for what it was to do. */
function claim(state: RecordState, arrival: Arrival): Claim | { readonly kind: 'paid-for' } {
  const { run, again } = state;
  if (run?.answeredQuestion !== undefined) return { kind: 'paid-for' };
  const claimed = arrive(state, arrival);
  if (claimed.kind !== 'claimed' || !run) return claimed;
  const purpose = again ? moreUrgent(again.purpose, run.purpose) : run.purpose;
  return { ...claimed, state: { ...claimed.state, again: { purpose } } };
}

async function restore(
  deps: UndoDeps,
  held: Held,
  planned: PlannedUndo,
): Promise<UndoReport | 'busy' | 'forgotten'> {
  const { report, record } = planned;
  const names = report.restored.map(({ property }) => property);
  const reason = names.length === 0 ? 'Nothing was left to undo.' : `Undone: ${names.join(', ')}.`;
  const learned = learnedOf(deps, planned);
  let result: CrmWriteResult | undefined;
  if (record && names.length > 0) {
    const announced = await announce(deps, held, { restored: learned.restored, planned, reason });
    if (announced !== 'announced') return announced;
    const write = writeOf(held, planned, reason);
    [result] = await deps.crm.write({ objectType: held.objectType, writes: [write] });
    await journalResult(deps, held, { sent: write.properties, result });
  }
  const failure = result === undefined || result.kind === 'written' ? undefined : result.reason;
  const { staleAtMs } = held.state;
  // Nothing new was learned: what is stale stays so, and is refreshed.
  const stale = staleAtMs === undefined ? {} : { staleAtMs };
  await settleRecord(deps, held, {
    ...{ kind: 'outcome', outcome: failure === undefined ? 'unchanged' : 'failed' },
    credits: held.run.credits,
    reason: failure === undefined ? reason : `The undo failed: ${failure}`,
    learned:
      failure === undefined ? { ...learned, ...fingerprintAfter(deps, held, planned), ...stale } : stale,
  });
  if (failure === undefined) return report;
  const untaken = names.map((property) => ({ property, reason: `HubSpot did not take it: ${failure}` }));
  return { restored: [], kept: [...report.kept, ...untaken] };
}

/**
 * Before the write: cut off after it, the next run must not fill in again what was taken back.
 * @returns why nothing may be written, where the record is not ours any more.
 */
async function announce(
  deps: UndoDeps,
  held: Held,
  { restored, planned, reason }: { restored: Restored; planned: PlannedUndo; reason: string },
): Promise<'announced' | 'busy' | 'forgotten'> {
  const owner = held.state.claim?.owner;
  const { lost } = await changeRecord(
    deps.records,
    held,
    (state): { lost?: RecordState; state?: RecordState } =>
      state.claim?.owner === owner
        ? { state: { ...state, restored: { ...state.restored, ...restored } } }
        : { lost: state },
  );
  if (lost) return lost.forgottenAtMs === undefined ? 'busy' : 'forgotten';
  const journalled = await deps.journal.plan(entryOf(deps, held, { planned, reason }));
  return journalled === 'planned' ? 'announced' : 'forgotten';
}

async function journalResult(
  { journal }: UndoDeps,
  held: Held,
  { sent, result }: { sent: Readonly<Record<string, string>>; result: CrmWriteResult | undefined },
): Promise<void> {
  const run = held.state.runsOpened;
  if (result?.kind === 'written')
    await journal.confirm(held, run, { stored: { ...sent, ...result.properties } });
  if (result?.kind === 'refused') await journal.confirm(held, run, { refused: Object.keys(sent) });
}

type Restored = NonNullable<Learned['restored']>;

/** From now on these values are a person's: not remembered as ours, and kept even where they are blank. */
function learnedOf({ digest }: UndoDeps, { report, definitions }: PlannedUndo) {
  const normalise = createNormalise(definitions);
  const restored = report.restored.map(({ property, to }) => [
    property,
    digest.keyed(rememberedText(property, normalise(property, to ?? ''))),
  ]);
  const released = report.restored.map(({ property }) => property);
  return { released, restored: Object.fromEntries(restored) } satisfies Learned;
}

/** What a person has changed since the last run is still to be looked at: only our own write changes nothing. */
function fingerprintAfter(
  deps: UndoDeps,
  { objectType, state }: Held,
  { report, record }: PlannedUndo,
): Pick<Learned, 'fingerprint'> {
  if (!record || state.fingerprint !== fingerprintOf(record, deps)) return {};
  const back = Object.fromEntries(report.restored.map(({ property, to }) => [property, to]));
  return { fingerprint: fingerprintOf({ objectType, properties: { ...record.properties, ...back } }, deps) };
}

function writeOf({ id }: Held, { report, definitions }: PlannedUndo, reason: string) {
  const back = report.restored.map(({ property, to }): [string, string] => [property, to ?? '']);
  const told: [string, string][] = definitions.has('enrichment_reason')
    ? [['enrichment_reason', reason]]
    : [];
  return { id, properties: Object.fromEntries([...back, ...told]) };
}

function entryOf(
  { policy, clock }: UndoDeps,
  { objectType, id, state, run: { credits } }: Held,
  { planned, reason }: { planned: PlannedUndo; reason: string },
): JournalEntry {
  const changes = planned.report.restored.map(
    ({ property, from, to }): Change => ({ property, before: from, after: to ?? '', state: 'planned' }),
  );
  return {
    ...{ objectType, id, reason, changes, credits, kind: 'undo', purpose: 'manual', outcome: 'unchanged' },
    ...{ eventKeys: [], run: state.runsOpened, policyVersion: policy.version, atMs: clock.now() },
  };
}
