import type { DataFolder } from './data-folder.ts';
import type { EmbeddedAws } from './embedded-aws.ts';
import type { Services } from './services.ts';
import type { System } from './system.ts';

/** The system while it runs. */
export interface Running {
  readonly system: System;
  readonly services: Services;
  readonly aws: EmbeddedAws;
  readonly folder: DataFolder;
  readonly url: string;
  readonly publicUrl: string;
  readonly logFile: string;
  /** Writes what outlives a restart. */
  save(more?: Partial<DataFolder['saved']>): Promise<void>;
  stop(): Promise<void>;
}
