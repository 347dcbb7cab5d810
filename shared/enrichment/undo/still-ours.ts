import { type CrmRecord, type CrmVersion, isPersonSource, type PropertyDefinitions } from '#shared/crm';
import { lastWrite } from '../write-back/by-history.ts';
import { isOurs } from '../write-back/fate.ts';

export interface SeenProperty {
  readonly property: string;
  readonly current: CrmRecord | undefined;
  readonly definitions: PropertyDefinitions;
  /** By property, newest first. */
  readonly versions: Readonly<Record<string, readonly CrmVersion[]>>;
}

/**
 * Why a value is not provably ours to take back; `undefined` when it is.
 * @param isOurValue whether what we remember of our writes says so of the value. Without it only the property counts.
 */
export function whyNotOurs(
  { ownAppId }: { readonly ownAppId?: string | undefined },
  { property, current, definitions, versions }: SeenProperty,
  isOurValue?: (value: string) => boolean,
): string | undefined {
  if (!current) return 'the record is no longer in HubSpot';
  const definition = definitions.get(property);
  if (!definition || definition.readOnly || definition.calculated)
    return 'the property cannot be written any more';
  if (!isOurValue) return undefined;
  const value = current.properties[property] ?? '';
  // Equal to what we wrote, and still a person's: who typed it back has made it theirs. A merge writes nothing of its own.
  const newest = lastWrite(versions[property]);
  if (newest && !isOurs(newest, ownAppId)) return notOurs(newest);
  const isProved = newest !== undefined && newest.value === value;
  return isOurValue(value) && isProved ? undefined : 'it is not the value that we wrote last';
}

/** Nobody is named as its author without a proof. */
function notOurs({ sourceType, value }: CrmVersion): string {
  const who = isPersonSource(sourceType) ? 'a person' : 'another app or import';
  return value === '' ? `${who} has emptied it since` : `${who} has changed it since`;
}
