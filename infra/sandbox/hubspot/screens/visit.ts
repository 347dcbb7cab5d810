import type { SandboxActions } from '../door/verb.ts';
import type { ObjectTypeId } from '../objects/object-types.ts';
import { readValue } from '../objects/record-view.ts';
import type { Portal } from '../portal.ts';
import type { StoredRecord } from '../state.ts';

/** A request for a page, or a form that a page sends. */
export interface Visit {
  readonly portal: Portal;
  readonly actions: SandboxActions;
  readonly query: URLSearchParams;
  /** Data of the form. Absent for a `GET`. */
  readonly form: FormData | undefined;
}

export interface TypeVisit extends Visit {
  readonly typeId: ObjectTypeId;
}

export interface RecordVisit extends TypeVisit {
  readonly record: StoredRecord;
}

/** The text in a field of the form. A file gives an empty text. */
export function fieldOf({ form }: Visit, name: string): string {
  const value = form?.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The record's name in lists and links. */
export function recordName(portal: Portal, record: StoredRecord): string {
  const values = (names: readonly string[]) => names.map((name) => readValue(portal, { record, name }));
  const [first, last, email] = values(['firstname', 'lastname', 'email']);
  const [name, domain] = values(['name', 'domain']);
  const known = record.typeId === '0-1' ? `${first} ${last}`.trim() || email : name || domain;
  return known || `No name (${record.id})`;
}
