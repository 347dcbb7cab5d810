import type { CrmRecord, CrmVersion, ObjectType, PropertyDefinitions } from '#shared/crm';
import { createExactForm, createNormalise } from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { unreachable } from '#shared/kernel';
import {
  historyOf,
  isUndo,
  type JournalEntry,
  leaves,
  type RecordState,
  runName,
  withResult,
} from '#shared/records';
import { readWithCompanies } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { arrivedOf } from '../write-back/arrived.ts';
import { isStatus, type LeftOut, STATUS_PROPERTIES } from '../write-back/draft.ts';
import { type NotOurs, type SeenProperty, whyNotOurs } from './still-ours.ts';
import { type UndoTarget, undoTargets, writtenProperties } from './undo-targets.ts';

export type UndoServices = Pick<
  EnrichmentServices,
  'together' | 'records' | 'journal' | 'crm' | 'policy' | 'ownAppId' | 'clock' | 'newId' | 'digest'
>;

export interface UndoRequest {
  readonly id: string;
  /** Selects the runs to undo, among the record's own and those of records that were merged into it. */
  readonly isChosen: (entry: JournalEntry) => boolean;
  /** Key of the request for this undo. A repeated request has the same key. */
  readonly eventKey?: string | undefined;
  /** The asker, as `readAsker` reads it. */
  readonly askedBy?: string | undefined;
  /** Undoes only this property. */
  readonly property?: string | undefined;
  /** Set if a person says that the answer is about another person or company. */
  readonly isWrongMatch?: true | undefined;
  /**
   * Set if a person rejected a review item. Then no value is restored, and the statuses in HubSpot no longer show the
   * answer.
   */
  readonly isRejection?: true;
}

export interface UndoReport {
  readonly restored: readonly {
    readonly property: string;
    readonly from: string;
    readonly to: string | null;
  }[];
  /** Properties that an interrupted attempt at the same request restored. */
  readonly before?: readonly string[];
  /** Properties that stay as they are, with the reason. */
  readonly kept: readonly KeptByUndo[];
}

interface KeptByUndo extends NotOurs {
  readonly property: string;
}

/** A record to undo, with its state. */
export interface ToUndo {
  readonly state: RecordState;
  readonly request: UndoRequest;
  /** Values that HubSpot refused. */
  readonly leftOut?: readonly LeftOut[];
}

export interface UndoPlan {
  readonly report: UndoReport;
  /** Whether the record holds no value of ours after the undo. */
  readonly leavesNothing: boolean;
  readonly current: CrmRecord | undefined;
}

interface RecordFacts {
  readonly entries: readonly JournalEntry[];
  readonly current: CrmRecord | undefined;
  readonly definitions: PropertyDefinitions;
  /** By property, newest first. */
  readonly versions: Readonly<Record<string, readonly CrmVersion[]>>;
}

/**
 * Plans the undo of records of one object type, by their current values.
 * @returns the plans in the given order.
 */
export async function planUndos(
  services: UndoServices,
  objectType: ObjectType,
  wanted: readonly ToUndo[],
): Promise<readonly UndoPlan[]> {
  const entries = await Promise.all(wanted.map(({ state }) => historyOf(services, state)));
  const definitions = await services.crm.definitions(objectType);
  const written = entries.map(writtenProperties);
  const asked = wanted.map(({ state: { id } }, index) => ({ id, properties: written[index] ?? [] }));
  const history = await services.crm.history({ objectType, records: asked });
  const names = new Set([...written.flat(), ...IDENTIFYING_PROPERTIES[objectType], ...STATUS_PROPERTIES]);
  const query = { objectType, ids: asked.map(({ id }) => id), properties: [...names] };
  // Reads the values last, so that the write follows directly after the read.
  const { records } = await readWithCompanies(services.crm, query);
  return wanted.map((wantedRecord, index) => {
    const { id } = wantedRecord.state;
    const known = { definitions, versions: history.get(id) ?? {}, current: records.get(id) };
    return planUndo(services, wantedRecord, { ...known, entries: entries[index] ?? [] });
  });
}

function planUndo(
  services: UndoServices,
  { state, request, leftOut = [] }: ToUndo,
  known: RecordFacts,
): UndoPlan {
  const { current, definitions } = known;
  const properties = current?.properties ?? {};
  const normalise = createNormalise(definitions);
  // For a write with an unknown result, HubSpot's current value decides.
  const entries = known.entries.map((entry) =>
    withResult(entry, { stored: arrivedOf(entry, { properties, normalise }) }),
  );
  const restored: UndoReport['restored'][number][] = [];
  const kept: KeptByUndo[] = leftOut.map(notTaken);
  for (const [property, target] of undoTargets(entries, { ...request, current: properties })) {
    if (leftOut.some((each) => each.property === property)) continue;
    const why = reasonOf(target, state) ?? reasonToKeep(services, { ...known, state, property, target });
    if (why) kept.push({ property, ...why });
    else if (target.kind === 'restore')
      restored.push({ property, from: properties[property] ?? '', to: target.to });
  }
  const restoredNames = new Set(restored.map(({ property }) => property));
  const allTargets = undoTargets(entries, { isChosen: () => true, current: properties });
  const remaining = [...allTargets].filter(([property, target]) => {
    const isOurs = reasonToKeep(services, { ...known, state, property, target }) === undefined;
    return isOurs && !restoredNames.has(property);
  });
  const { eventKey } = request;
  const before = eventKey && entries.flatMap((entry) => broughtBackFor(eventKey, entry));
  const report = { restored, kept, ...(before && { before }) };
  return { report, leavesNothing: remaining.length === 0, current };
}

export function notTaken({ property, reason }: LeftOut): KeptByUndo {
  return { property, code: 'refused', reason: `HubSpot refused it: ${reason}` };
}

function broughtBackFor(eventKey: string, entry: JournalEntry): string[] {
  return entry.eventKeys.includes(eventKey) ? broughtBack(entry).map(({ property }) => property) : [];
}

/** Returns the known writes of an undo, without the statuses. */
export function broughtBack(entry: JournalEntry): JournalEntry['changes'] {
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

interface TargetedProperty extends SeenProperty {
  readonly target: UndoTarget;
}

/** Explains why it is not proved that a value is ours to undo; `undefined` if it is proved. */
function reasonToKeep(services: UndoServices, { target, ...seen }: TargetedProperty): NotOurs | undefined {
  if (target.kind !== 'restore') return whyNotOurs(services, seen);
  const exactForm = createExactForm(seen.definitions);
  return whyNotOurs(services, seen, (value) => {
    const isThatForm = exactForm(seen.property, value) === exactForm(seen.property, target.wrote.after);
    return leaves(target.wrote, value) || isThatForm;
  });
}
