import type { CrmRecord, CrmVersion, ObjectType, PropertyDefinitions } from '#shared/crm';
import { createMark, createNormalise } from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { unreachable } from '#shared/kernel';
import { historyOf, isUndo, type JournalEntry, type RecordState, runName, withResult } from '#shared/records';
import { readWithCompanies } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { arrivedOf } from '../write-back/arrived.ts';
import { isOurs } from '../write-back/fate.ts';
import { type UndoTarget, undoTargets, writtenProperties } from './undo-targets.ts';

export type UndoServices = Pick<
  EnrichmentServices,
  'records' | 'journal' | 'crm' | 'policy' | 'ownAppId' | 'clock' | 'newId' | 'digest'
>;

export interface UndoRequest {
  readonly objectType: ObjectType;
  readonly id: string;
  /** Which of the record's runs to undo, and of those of the records that were merged into it. */
  readonly isChosen: (entry: JournalEntry) => boolean;
  /** Key of the request that it is for, which may be carried out once more. */
  readonly eventKey?: string | undefined;
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
  /** What an attempt for the same request has brought back before it was cut off. */
  readonly before?: readonly string[];
  /** What stays as it is, and why. */
  readonly kept: readonly { readonly property: string; readonly reason: string }[];
}

export interface PlannedUndo {
  readonly report: UndoReport;
  readonly record: CrmRecord | undefined;
  readonly definitions: PropertyDefinitions;
}

/** What the undo would do to the record as it is now. */
export async function planUndo(
  services: UndoServices,
  state: RecordState,
  request: Pick<UndoRequest, 'isChosen' | 'property' | 'eventKey'>,
): Promise<PlannedUndo> {
  const { objectType, id } = state;
  const entries = await historyOf(services, state);
  const definitions = await services.crm.definitions(objectType);
  const written = writtenProperties(entries);
  const properties = [...written, ...IDENTIFYING_PROPERTIES[objectType], 'enrichment_reason'];
  const history = await services.crm.history({ objectType, records: [{ id, properties: written }] });
  const versions = history.get(id);
  // Read last, so that what is written follows on what was seen.
  const { records } = await readWithCompanies(services.crm, { objectType, ids: [id], properties });
  const record = records.get(id);
  const current = record?.properties ?? {};
  const normalise = createNormalise(definitions);
  // Where nobody could say whether a write came through, HubSpot tells.
  const known = entries.map((entry) =>
    withResult(entry, { stored: arrivedOf(entry, { properties: current, normalise }) }),
  );
  const restored: UndoReport['restored'][number][] = [];
  const kept: UndoReport['kept'][number][] = [];
  for (const [property, target] of undoTargets(known, { ...request, current })) {
    const reason =
      reasonOf(target, state) ??
      reasonToKeep(services, { property, target, record, definitions, state, versions });
    if (reason !== undefined) kept.push({ property, reason });
    else if (target.kind === 'restore')
      restored.push({ property, from: current[property] ?? '', to: target.to });
  }
  const { eventKey } = request;
  const before = eventKey && known.flatMap((entry) => broughtBackFor(eventKey, entry));
  return { report: { restored, kept, ...(before && { before }) }, record, definitions };
}

function broughtBackFor(eventKey: string, entry: JournalEntry): string[] {
  if (!entry.eventKeys.includes(eventKey)) return [];
  const back = entry.changes.filter((change) => isUndo(entry, change) && change.state === 'written');
  return back.map(({ property }) => property);
}

function reasonOf(target: UndoTarget, state: RecordState): string | undefined {
  switch (target.kind) {
    case 'restore':
      return undefined;
    case 'written-later':
      return `written again by ${runName(target.by, state)}, which is not to be undone`;
    case 'too-long':
      return 'what was there before was too long to be kept whole';
    default:
      return unreachable(target);
  }
}

interface Found {
  readonly property: string;
  readonly target: UndoTarget;
  readonly record: CrmRecord | undefined;
  readonly definitions: PropertyDefinitions;
  readonly state: RecordState;
  /** By property, newest first. */
  readonly versions: Readonly<Record<string, readonly CrmVersion[]>> | undefined;
}

/** Why a value is not provably ours to take back; `undefined` when it is. */
function reasonToKeep(
  { digest, ownAppId }: UndoServices,
  { property, target, record, definitions, state, versions = {} }: Found,
): string | undefined {
  if (!record) return 'the record is no longer in HubSpot';
  const definition = definitions.get(property);
  if (!definition || definition.readOnly || definition.calculated)
    return 'the property cannot be written any more';
  const current = record.properties[property] ?? '';
  // Equal to what we wrote, and still somebody else's: who typed it back has made it theirs.
  const newest = versions[property]?.[0];
  const isLastOurs = newest?.value === current && isOurs(newest, ownAppId);
  if (current === '') {
    const wasCleared = target.kind === 'restore' && target.isCleared === true;
    return wasCleared && isLastOurs ? undefined : 'somebody has emptied it since';
  }
  const mark = createMark({ definitions, hash: digest.keyed });
  if (state.lastWritten[property] !== mark(property, current)) return 'somebody has changed it since';
  return isLastOurs ? undefined : 'somebody has written it since';
}
