import type { ObjectTypeId } from '../objects/object-types.ts';

/** The execution of a workflow's action for one record. */
export interface StoredExecution {
  readonly callbackId: string;
  readonly typeId: ObjectTypeId;
  readonly recordId: string;
  /** `failed`: the action refused the record, or did not answer. */
  state: 'held' | 'completed' | 'failed';
  outputs: Record<string, string>;
}
