import type { ObjectTypeId } from '../objects/object-types.ts';

/** A record at an action of a workflow. */
export interface StoredExecution {
  readonly callbackId: string;
  readonly typeId: ObjectTypeId;
  readonly recordId: string;
  /** `failed`: the action refused it, or did not answer. */
  state: 'held' | 'completed' | 'failed';
  outputs: Record<string, string>;
}
