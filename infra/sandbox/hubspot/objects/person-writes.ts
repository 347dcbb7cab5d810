import { ApiError } from '../door/api-error.ts';
import type { Actor, Portal } from '../portal.ts';
import type { StoredRecord } from '../state.ts';
import type { ObjectTypeId } from './object-types.ts';
import { checkInput } from './record-input.ts';
import { createRecord, writeValues } from './records.ts';

interface Creation {
  readonly typeId: ObjectTypeId;
  readonly properties: unknown;
  readonly actor: Actor;
}

/** Creates a record as a person does, at the screen or by an import. @throws ApiError if a value is refused. */
export function createByPerson(portal: Portal, creation: Creation): StoredRecord {
  const checked = checkInput(portal, { ...creation, newest: true });
  if (!checked.ok) throw new ApiError(checked.failure);
  return createRecord(portal, { ...creation, values: checked.values });
}

interface Edit {
  readonly record: StoredRecord;
  readonly properties: unknown;
  readonly actor: Actor;
}

/** Edits a record as a person does. @throws ApiError if a value is refused. */
export function editByPerson(portal: Portal, { record, properties, actor }: Edit): void {
  const { typeId } = record;
  const checked = checkInput(portal, { typeId, properties, record, actor, newest: true });
  if (!checked.ok) throw new ApiError(checked.failure);
  writeValues(portal, { record, values: checked.values, actor });
}
