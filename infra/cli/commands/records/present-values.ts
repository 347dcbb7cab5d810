import { isHubSpotFailure } from '#shared/crm';
import { arrivedOf, isStatus } from '#shared/enrichment';
import { createMark, createNormalise } from '#shared/field-policy';
import { holdsOurValue } from '#shared/ownership';
import { type JournalEntry, type RecordState, withResult } from '#shared/records';
import type { Connection } from '../../connection/connection.ts';

/** Owner of a property's present value. */
export type ValueOwner = 'ours' | 'changed' | 'empty';

export interface PresentValues {
  readonly known: readonly JournalEntry[];
  /** Owner by property. Empty if HubSpot does not answer. */
  readonly now: ReadonlyMap<string, ValueOwner>;
  /** Code of HubSpot's failure, if it did not answer. */
  readonly hubSpotFailed?: string | undefined;
}

/** Reads the current values from HubSpot. If HubSpot does not answer, the result has only our own records. */
export async function readPresentValues(
  connection: Connection,
  entries: readonly JournalEntry[],
  state: RecordState,
): Promise<PresentValues> {
  try {
    return await readOwners(connection, entries, state);
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return { known: entries, now: new Map(), hubSpotFailed: error.code };
  }
}

/** Determines the owners of the present values, and resolves writes with an unknown result. */
async function readOwners(
  { services }: Connection,
  entries: readonly JournalEntry[],
  state: RecordState,
): Promise<PresentValues> {
  const properties = [...new Set(entries.flatMap(({ changes }) => changes.map(({ property }) => property)))];
  const { objectType, id } = state;
  const record = (await services.crm.read({ objectType, ids: [id], properties })).records.get(id);
  const definitions = await services.crm.definitions(objectType);
  const normalise = createNormalise(definitions);
  const mark = createMark({ definitions, hash: services.digest.keyed });
  const ownerOf = (property: string): ValueOwner => {
    const value = record?.properties[property] ?? '';
    if (value === '') return 'empty';
    // Statuses always count as ours, because only we write them. They have no stored ownership.
    const isOurs = holdsOurValue(state.ownership, property, mark(property, value)) || isStatus(property);
    return isOurs ? 'ours' : 'changed';
  };
  const held = { properties: record?.properties ?? {}, normalise };
  return {
    known: entries.map((entry) => withResult(entry, { stored: record ? arrivedOf(entry, held) : {} })),
    now: new Map(properties.map((property) => [property, ownerOf(property)])),
  };
}
