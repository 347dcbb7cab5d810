import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RAISED_FORMATS } from '#shared/versioned-items';
import { ConfigurationError } from '../configuration.ts';
import { PROJECT_ROOT } from '../project-root.ts';

/** Output of the data stack with the formats in its tables. */
export const FORMATS_OUTPUT = 'DataFormats';

export interface DataFormats {
  /** The version that was deployed. */
  readonly version: string;
  /** Formats of the stored kinds whose format was raised, by name of the kind. */
  readonly raised: Readonly<Record<string, number>>;
}

/** Returns the version of this code, and the formats that it writes. */
export function dataFormats(): DataFormats {
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  return { version, raised: RAISED_FORMATS };
}

/**
 * Refuses to deploy older functions, because they would fail at the first item of a newer version.
 * @param outputs outputs of the data stack. Absent if there is no data stack
 * @throws ConfigurationError if the tables can contain a newer format of a kind
 */
export function refuseOlderFormats(
  outputs: Readonly<Record<string, string>> | undefined,
  present = dataFormats(),
): void {
  const text = outputs?.[FORMATS_OUTPUT];
  if (text === undefined) return;
  const deployed: DataFormats = JSON.parse(text);
  const newer = Object.entries(deployed.raised).filter(
    ([name, format]) => format > (present.raised[name] ?? 1),
  );
  if (newer.length === 0) return;
  const kinds = newer.map(
    ([name, format]) => `  ${name}: format ${format}, here ${present.raised[name] ?? 1}`,
  );
  throw new ConfigurationError(
    [
      `The data were written by a newer version (${deployed.version}), which this version (${present.version}) cannot read:`,
      ...kinds,
      `Nothing was changed. Deploy version ${deployed.version} or a newer one: see "Roll back a deployment" in docs/operations/runbook.md.`,
    ].join('\n'),
  );
}
