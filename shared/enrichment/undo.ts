import { createNormalise } from '../field-policy/normal-form.ts';
import type { PropertyDefinitions } from '../field-policy/property-definition.ts';
import { rememberedText } from '../field-policy/remember.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import { changeRecord } from '../records/change-record.ts';
import type { CrmWriteResult } from '../records/crm.ts';
import { type CrmRecord, type ObjectType, recordKey } from '../records/crm-record.ts';
import type { Change, JournalEntry } from '../records/journal-entry.ts';
import { newRecordState, type RecordState } from '../records/record-state.ts';
import { arrive, type Learned } from '../records/transitions.ts';
import type { EnrichmentDeps, Held } from './deps.ts';
import { fingerprintOf } from './fingerprint.ts';
import { IDENTIFYING_PROPERTIES } from './identity.ts';
import { settleRecord } from './settle-record.ts';
import { undoTargets } from './undo-targets.ts';

export type UndoDeps = Pick<
  EnrichmentDeps,
  'records' | 'journal' | 'crm' | 'policy' | 'clock' | 'newId' | 'digest'
>;

export interface UndoRequest {
  readonly objectType: ObjectType;
  readonly id: string;
  /** Which of the record's runs to undo. */
  readonly isChosen: (entry: JournalEntry) => boolean;
  /** Only this one. */
  readonly property?: string | undefined;
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface UndoReport {
  readonly restored: readonly {
    readonly property: string;
    readonly from: string;
    readonly to: string | null;
  }[];
  /** What stays as it is, and why. */
  readonly kept: readonly { readonly property: string; readonly reason: string }[];
}

/** An undo is two requests to HubSpot; a worker that has the record in the meantime is not kept longer than this. */
const CLAIM_MS = 2 * MINUTE_MS;

/**
 * Brings back what was there before our writes, where the value is still the one that we wrote. What was brought back
 * counts as a person's from then on. Nobody enriches the record meanwhile.
 * @returns `busy` when a worker holds the record now.
 */
export async function undoRecord(deps: UndoDeps, request: UndoRequest): Promise<UndoReport | 'busy'> {
  const planned = await planUndo(deps, request);
  if (request.dryRun || planned.report.restored.length === 0) return planned.report;
  const claimed = await changeRecord(deps.records, request, (state) =>
    arrive(state, {
      ...{ purpose: 'live', eventKeys: [], claimMs: CLAIM_MS, nowMs: deps.clock.now() },
      ...{ owner: deps.newId(), runId: deps.newId() },
    }),
  );
  if (claimed.kind !== 'claimed') return 'busy';
  const held = { ...request, state: claimed.state, run: claimed.run };
  // Planned anew: what was read before the claim may have been written over by the worker that had it.
  return restore(deps, held, await planUndo(deps, request));
}

interface PlannedUndo {
  readonly report: UndoReport;
  readonly record: CrmRecord | undefined;
  readonly definitions: PropertyDefinitions;
}

async function planUndo(deps: UndoDeps, request: UndoRequest): Promise<PlannedUndo> {
  const { objectType, id } = request;
  const stored = await deps.records.read(recordKey(request));
  const state = stored?.value ?? newRecordState(objectType, id);
  const entries = await deps.journal.ofRecord(request, state.runsOpened);
  const targets = undoTargets(entries, request);
  const definitions = await deps.crm.definitions(objectType);
  const properties = [...targets.keys(), ...IDENTIFYING_PROPERTIES[objectType], 'enrichment_reason'];
  const record = (await deps.crm.read({ objectType, ids: [id], properties })).records.get(id);
  const restored: UndoReport['restored'][number][] = [];
  const kept: UndoReport['kept'][number][] = [];
  for (const [property, target] of targets) {
    const reason =
      target.kind === 'written-later'
        ? `written again by run ${target.run}, which is not to be undone`
        : reasonToKeep(deps, { property, record, definitions, state });
    if (reason !== undefined) kept.push({ property, reason });
    else if (target.kind === 'restore')
      restored.push({ property, from: record?.properties[property] ?? '', to: target.to });
  }
  return { report: { restored, kept }, record, definitions };
}

/** Why a value is not ours to take back; `undefined` when it is. */
function reasonToKeep(
  { digest }: UndoDeps,
  found: {
    readonly property: string;
    readonly record: CrmRecord | undefined;
    readonly definitions: PropertyDefinitions;
    readonly state: RecordState;
  },
): string | undefined {
  const { property, record, definitions, state } = found;
  if (!record) return 'the record is no longer in HubSpot';
  const definition = definitions.get(property);
  if (!definition || definition.readOnly || definition.calculated)
    return 'the property cannot be written any more';
  const current = record.properties[property] ?? '';
  if (current === '') return 'somebody has emptied it since';
  const hash = digest.keyed(rememberedText(property, createNormalise(definitions)(property, current)));
  return state.remembered[property] === hash ? undefined : 'somebody has changed it since';
}

async function restore(deps: UndoDeps, held: Held, planned: PlannedUndo): Promise<UndoReport> {
  const { report, record } = planned;
  const run = held.state.runsOpened;
  const names = report.restored.map(({ property }) => property);
  const reason = names.length === 0 ? 'Nothing was left to undo.' : `Undone: ${names.join(', ')}.`;
  const learned = learnedOf(deps, held.state, planned);
  let result: CrmWriteResult | undefined;
  if (record && names.length > 0) {
    // Before the write: cut off after it, the next run must not fill in again what was taken back.
    await changeRecord(deps.records, held, (state) => ({ state: { ...state, restored: learned.restored } }));
    await deps.journal.plan(entryOf(deps, held, { planned, reason, run }));
    [result] = await deps.crm.write({
      objectType: held.objectType,
      writes: [writeOf(held, planned, reason)],
    });
    if (result?.kind === 'written') await deps.journal.confirm(held, run, { stored: result.properties });
    if (result?.kind === 'refused') await deps.journal.confirm(held, run, 'refused');
  }
  const failure = result === undefined || result.kind === 'written' ? undefined : result.reason;
  await settleRecord(deps, held, {
    ...{ kind: 'outcome', outcome: failure === undefined ? 'unchanged' : 'failed', credits: 0 },
    reason: failure === undefined ? reason : `The undo failed: ${failure}`,
    learned: failure === undefined ? { ...learned, fingerprint: fingerprintAfter(deps, held, planned) } : {},
  });
  if (failure === undefined) return report;
  const untaken = names.map((property) => ({ property, reason: `HubSpot did not take it: ${failure}` }));
  return { restored: [], kept: [...report.kept, ...untaken] };
}

/** From now on these values are a person's: not remembered as ours, and kept even where they are blank. */
function learnedOf({ digest }: UndoDeps, state: RecordState, { report, definitions }: PlannedUndo) {
  const normalise = createNormalise(definitions);
  const back = new Map(report.restored.map(({ property, to }) => [property, to ?? '']));
  const remembered = Object.entries(state.remembered).filter(([property]) => !back.has(property));
  const restored = [...back].map(([property, value]) => [
    property,
    digest.keyed(rememberedText(property, normalise(property, value))),
  ]);
  return {
    remembered: Object.fromEntries(remembered),
    restored: { ...state.restored, ...Object.fromEntries(restored) },
  } satisfies Learned;
}

function fingerprintAfter(deps: UndoDeps, { objectType }: Held, { report, record }: PlannedUndo): string {
  const back = Object.fromEntries(report.restored.map(({ property, to }) => [property, to]));
  return fingerprintOf({ objectType, properties: { ...record?.properties, ...back } }, deps);
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
  { objectType, id }: Held,
  { planned, reason, run }: { planned: PlannedUndo; reason: string; run: number },
): JournalEntry {
  const changes = planned.report.restored.map(
    ({ property, from, to }): Change => ({ property, before: from, after: to ?? '', state: 'planned' }),
  );
  return {
    ...{ objectType, id, run, reason, changes, kind: 'undo', purpose: 'manual', outcome: 'unchanged' },
    ...{ eventKeys: [], credits: 0, policyVersion: policy.version, atMs: clock.now() },
  };
}
