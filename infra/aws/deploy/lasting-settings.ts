import { ConfigurationError } from '../configuration.ts';
import { LASTING_OUTPUT } from '../names.ts';
import type { Settings } from '../schemas.ts';

/** Settings that belong to one installation and hardly ever change. A deployment that forgets one would break it. */
const LASTING = [
  'dataServiceBaseUrl',
  'hubSpotBaseUrl',
  'hubSpotAppId',
  'hubSpotPortalId',
  'webhookAllowV1',
  'publicUrl',
  'alarmEmail',
  'ledgerTable',
  'suppressionTable',
  'permissionsBoundaryArn',
  'kmsKeyArn',
] as const;

type Lasting = Readonly<Record<string, unknown>>;

/** Those that are set, as the stack tells them in an output: a checkout without them can be told so. */
export function lastingSettings(settings: Settings): Lasting {
  return Object.fromEntries(
    LASTING.filter((key) => settings[key] !== undefined).map((key) => [key, settings[key]]),
  );
}

/**
 * Nothing of these is changed by not being mentioned: a deployment from another checkout, or without the `-c` of
 * last time, would turn them back unawares.
 * @param overrides settings given on the command line, `key=value`: these may change.
 * @throws ConfigurationError that names each, and says how to keep it and how to change it
 */
export function refuseForgotten(
  outputs: Readonly<Record<string, string>> | undefined,
  { settings, overrides }: { readonly settings: Settings; readonly overrides: readonly string[] },
): void {
  const before = parsed(outputs?.[LASTING_OUTPUT]);
  if (!before) return;
  const now = lastingSettings(settings);
  const forgotten = LASTING.filter(
    (key) => before[key] !== now[key] && !overrides.some((text) => text.startsWith(`${key}=`)),
  );
  if (forgotten.length === 0) return;
  throw new ConfigurationError(
    [
      `The stack ${settings.stackName} was deployed with other settings, and no option asks to change them:`,
      ...forgotten.map((key) => `  ${key}: ${told(before[key])} in the stack, ${told(now[key])} now`),
      'Write those of the stack into cdk.json or give them again, or say that the new ones are meant:',
      ...forgotten.map((key) => `  -c ${key}=${before[key] ?? ''}     or     -c ${key}=${now[key] ?? ''}`),
    ].join('\n'),
  );
}

/**
 * Without the `-c stackName` of last time, a second stack would be created beside the first.
 * @param others names of stacks like ours, where there is none of this name
 * @throws ConfigurationError
 */
export function refuseSecondStack(
  others: readonly string[],
  { settings, overrides }: { readonly settings: Settings; readonly overrides: readonly string[] },
): void {
  const { stackName } = settings;
  const likeIt = [...new Set(others)].filter((name) => name !== stackName);
  if (likeIt.length === 0 || overrides.some((text) => text.startsWith('stackName='))) return;
  throw new ConfigurationError(
    `There is no stack ${stackName} yet, but ${likeIt.join(', ')} in this account and region: say which is meant, ${[...likeIt, stackName].map((name) => `-c stackName=${name}`).join(' or ')}.`,
  );
}

function told(value: unknown): string {
  return value === undefined ? 'not set' : String(value);
}

/** Nothing where there is no stack yet. */
function parsed(text: string | undefined): Lasting | undefined {
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
