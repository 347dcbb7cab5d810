import type { CrmRecord, CrmVersion, PropertyDefinitions } from '#shared/crm';
import { createMark } from '#shared/field-policy';
import { mayWrite, type WriteVerdictCode } from '#shared/ownership';
import type { RecordState } from '#shared/records';
import type { EnrichmentServices } from '../services.ts';
import { authorOf, lastWrite } from '../write-back/by-history.ts';

export interface SeenProperty {
  readonly state: RecordState;
  readonly property: string;
  readonly current: CrmRecord | undefined;
  readonly definitions: PropertyDefinitions;
  /** By property, newest first. */
  readonly versions: Readonly<Record<string, readonly CrmVersion[]>>;
}

/** Why a value stays: a stable code, and its words for a person. */
export interface NotOurs {
  readonly code: WriteVerdictCode | 'record-gone' | 'not-writable' | 'written-later' | 'too-long' | 'refused';
  readonly reason: string;
}

/**
 * Explains why it is not proved that a value is ours to remove; `undefined` if it is proved.
 * @param isJournalled whether the journal says that we wrote this value. Without this check, only the property itself
 * is tested.
 */
export function whyNotOurs(
  { ownAppId, digest }: Pick<EnrichmentServices, 'ownAppId' | 'digest'>,
  { state, property, current, definitions, versions }: SeenProperty,
  isJournalled?: (value: string) => boolean,
): NotOurs | undefined {
  if (!current) return { code: 'record-gone', reason: 'the record is no longer in HubSpot' };
  const definition = definitions.get(property);
  if (!definition || definition.readOnly || definition.calculated)
    return { code: 'not-writable', reason: 'the property cannot be written any more' };
  if (!isJournalled) return undefined;
  const value = current.properties[property] ?? '';
  // A person may have typed our value again. Then the value is the person's.
  const newest = lastWrite(versions[property]);
  const author = newest && authorOf(newest, ownAppId);
  // If our last write was another value, it proves nothing about this value.
  const lastBy = author === 'us' && newest?.value !== value ? undefined : author;
  const mark = createMark({ definitions, hash: digest.keyed })(property, value);
  const verdict = mayWrite({
    ...{ ownership: state.ownership, verdicts: [], rule: { property, write: 'take-back' } },
    ...{ current: { value, mark, isJournalled: isJournalled(value), lastBy }, request: { by: 'person' } },
  });
  return verdict.may ? undefined : { code: verdict.code, reason: verdict.says };
}
