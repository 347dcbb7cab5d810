import type { ObjectType } from '#shared/crm/crm-record.ts';
import type { QueuedMessage } from './embedded-aws.ts';

/** One record of the demonstration, and what it is there to show. */
export interface Demo {
  readonly objectType: ObjectType;
  readonly id: string;
  readonly shows: string;
}

/** What outlives a restart, beside the tables. */
export interface SavedState {
  /** Records that existed before this are not touched. Epoch milliseconds. */
  readonly installedAtMs: number;
  readonly installationSecret: string;
  /** Name of the folder of the tables that belong to it; `tables` where none is given. */
  readonly tables?: string | undefined;
  /** Messages that no worker had finished. */
  readonly queued: readonly QueuedMessage[];
  /** The records of the demonstration; absent with real services. */
  readonly demos?: readonly Demo[];
  /** The stand-ins' own state; absent with real services. */
  readonly hubSpot?: unknown;
  readonly dataService?: unknown;
}
