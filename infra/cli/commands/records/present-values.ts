import { isHubSpotFailure } from '#shared/crm';
import { arrivedOf, isStatus } from '#shared/enrichment';
import { createMark, createNormalise } from '#shared/field-policy';
import { holdsOurValue } from '#shared/ownership';
import { type JournalEntry, type RecordState, withResult } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';

/** Whose the value is that a property holds now. */
export type ValueOwner = 'ours' | 'changed' | 'empty';

export interface ThereNow {
  readonly known: readonly JournalEntry[];
  /** By property; empty where HubSpot does not answer. */
  readonly now: ReadonlyMap<string, ValueOwner>;
  /** Why HubSpot did not say what it holds now. */
  readonly hubSpotFailed?: string | undefined;
}

/** Reads the current values from HubSpot. If HubSpot does not answer, the result has only our own records. */
export async function whatIsThere(
  connection: Connection,
  entries: readonly JournalEntry[],
  state: RecordState,
): Promise<ThereNow> {
  try {
    return await whatHubSpotHolds(connection, entries, state);
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return { known: entries, now: new Map(), hubSpotFailed: error.code };
  }
}

/** Whose the values are now; and for a write with an unknown result, what HubSpot says. */
async function whatHubSpotHolds(
  { services }: Connection,
  entries: readonly JournalEntry[],
  state: RecordState,
): Promise<ThereNow> {
  const properties = [...new Set(entries.flatMap(({ changes }) => changes.map(({ property }) => property)))];
  const { objectType, id } = state;
  const record = (await services.crm.read({ objectType, ids: [id], properties })).records.get(id);
  const definitions = await services.crm.definitions(objectType);
  const normalise = createNormalise(definitions);
  const mark = createMark({ definitions, hash: services.digest.keyed });
  const whose = (property: string): ValueOwner => {
    const value = record?.properties[property] ?? '';
    if (value === '') return 'empty';
    // Statuses are not remembered: only we write them.
    const isOurs = holdsOurValue(state.ownership, property, mark(property, value)) || isStatus(property);
    return isOurs ? 'ours' : 'changed';
  };
  const held = { properties: record?.properties ?? {}, normalise };
  return {
    known: entries.map((entry) => withResult(entry, { stored: record ? arrivedOf(entry, held) : {} })),
    now: new Map(properties.map((property) => [property, whose(property)])),
  };
}
