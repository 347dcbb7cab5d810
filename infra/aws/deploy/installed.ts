import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT } from '#shared/store';
import { ConfigurationError } from '../configuration-faults.ts';
import { LASTING_OUTPUT, PROJECT_ROOT } from '../names.ts';
import type { Settings } from '../schemas.ts';

/** Output of the data stack with the format of its tables. */
export const FORMATS_OUTPUT = 'DataFormats';

interface DataFormat {
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

/**
 * Settings that belong to one installation and hardly ever change. A deployment without one of them would break the
 * installation.
 */
const LASTING = [
  'dataServiceBaseUrl',
  'hubSpotBaseUrl',
  'hubSpotAppId',
  'hubSpotPortalId',
  'webhookAllowV1',
  'publicUrl',
  'alarmEmail',
  'ledgerTable',
  'proofTable',
  'permissionsBoundaryArn',
  'kmsKeyArn',
] as const;

type Lasting = Readonly<Record<string, unknown>>;

/**
 * Lists the lasting settings that are set. The stack publishes them in an output, so that a deployment without them
 * can be refused.
 */
export function lastingSettings(settings: Settings): Lasting {
  return Object.fromEntries(
    LASTING.filter((key) => settings[key] !== undefined).map((key) => [key, settings[key]]),
  );
}

/**
 * Refuses to change any of these settings by omission. Otherwise a deployment from another checkout, or without an
 * earlier `-c`, would reset them unnoticed.
 * @param overrides settings given on the command line, as `key=value`. These are allowed to change.
 * @throws ConfigurationError that names each changed setting, and explains how to keep it and how to change it
 */
export function refuseForgotten(
  outputs: Readonly<Record<string, string>> | undefined,
  { settings, overrides }: { settings: Settings; overrides: readonly string[] },
): void {
  const text = outputs?.[LASTING_OUTPUT];
  if (text === undefined) return;
  const before: Lasting = JSON.parse(text);
  const now = lastingSettings(settings);
  const forgotten = LASTING.filter(
    (key) => before[key] !== now[key] && !overrides.some((given) => given.startsWith(`${key}=`)),
  );
  if (forgotten.length === 0) return;
  throw new ConfigurationError('forgotten-settings', {
    stackName: settings.stackName,
    differences: forgotten
      .map((key) => `  ${key}: ${shown(before[key])} in the stack, ${shown(now[key])} now`)
      .join('\n'),
    options: forgotten
      .map((key) => `  -c ${key}=${before[key] ?? ''}     or     -c ${key}=${now[key] ?? ''}`)
      .join('\n'),
  });
}

function shown(value: unknown): string {
  return value === undefined ? 'not set' : String(value);
}
