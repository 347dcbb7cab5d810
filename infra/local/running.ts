import type { Clock } from '#shared/kernel';
import type { DataFolder } from './data-folder.ts';
import type { EmbeddedAws } from './embedded-aws.ts';
import type { Save } from './saver.ts';
import type { System } from './system.ts';
import type { Vendors } from './vendors.ts';

/** The system while it runs. */
export interface Running {
  readonly system: System;
  readonly vendors: Vendors;
  readonly aws: EmbeddedAws;
  readonly folder: DataFolder;
  readonly clock: Clock;
  readonly save: Save;
  /** Exit code of a simulated month: 0 if its ledger agrees with the bill, otherwise 1. */
  readonly monthCode: number | undefined;
  stop(): Promise<void>;
}
