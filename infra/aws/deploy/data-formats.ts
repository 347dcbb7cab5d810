import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT } from '#shared/store';
import { ConfigurationError } from '../configuration.ts';
import { PROJECT_ROOT } from '../project-root.ts';

/** Output of the data stack with the format of its tables. */
export const FORMATS_OUTPUT = 'DataFormats';

export interface DataFormat {
  /** The version that was deployed. */
  readonly version: string;
  /** Absent in version 0.2. */
  readonly format?: number;
}

/** Returns the version of this code, and the format that it writes. */
export function dataFormat(): DataFormat {
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  return { version, format: FORMAT };
}

/**
 * Refuses to deploy over data that the functions could not read.
 * @param outputs outputs of the data stack. Absent if there is no data stack
 * @throws ConfigurationError if the tables have another format
 */
export function refuseOtherFormat(outputs: Readonly<Record<string, string>> | undefined): void {
  const text = outputs?.[FORMATS_OUTPUT];
  if (text === undefined) return;
  const { version, format = 0 }: DataFormat = JSON.parse(text);
  if (format === FORMAT) return;
  throw new ConfigurationError(format > FORMAT ? 'newer-data' : 'older-data', { version });
}
