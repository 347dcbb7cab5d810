import { ConfigurationError } from '../configuration.ts';
import type { SecretDocument } from './secret-documents.ts';

/** The secret's keys that a person has to fill in, and the variables from which `deploy` takes them. */
const VARIABLES = {
  dataServiceApiKey: 'DATA_SERVICE_API_KEY',
  hubSpotAccessToken: 'HUBSPOT_ACCESS_TOKEN',
  hubSpotClientSecret: 'HUBSPOT_CLIENT_SECRET',
} as const;

/** Names of variables, never their values. */
export interface Filling {
  /** Were empty, and have the variable's value now. */
  readonly filled: readonly string[];
  /** Had another value, and have the variable's now. */
  readonly replaced: readonly string[];
  /** Have another value than the variable, and keep it. */
  readonly ignored: readonly string[];
  /** Still empty. */
  readonly missing: readonly string[];
}

export interface FillingWish {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a value that is there may be replaced: a shell may hold the keys of another installation. */
  readonly replace: boolean;
}

/**
 * Puts the values that stand in the environment into the secret where it has none, and keeps everything else.
 * @throws ConfigurationError where it is not a document of ours
 */
export async function fillSecret(
  document: SecretDocument,
  { environment, replace }: FillingWish,
): Promise<Filling> {
  const before = await document.read();
  if (!before?.['installationSecret']) {
    throw new ConfigurationError(`${document.place.replace(/^t/, 'T')} has no "installationSecret".`);
  }
  const kinds = Object.entries(VARIABLES).map(([key, variable]) => {
    const value = environment[variable] || undefined;
    return { key, variable, value, kind: kindOf({ stored: before[key], value, replace }) };
  });
  const written = kinds.filter(({ kind }) => kind === 'filled' || kind === 'replaced');
  if (written.length > 0) {
    const values = Object.fromEntries(written.map(({ key, value }) => [key, value]));
    await document.write({ ...before, ...values });
  }
  const named = (wanted: Kind) => kinds.filter(({ kind }) => kind === wanted).map(({ variable }) => variable);
  return {
    filled: named('filled'),
    replaced: named('replaced'),
    ignored: named('ignored'),
    missing: named('missing'),
  };
}

type Kind = keyof Filling | 'kept';

function kindOf({
  stored,
  value,
  replace,
}: {
  stored: unknown;
  value: string | undefined;
  replace: boolean;
}): Kind {
  if (!stored) return value === undefined ? 'missing' : 'filled';
  if (value === undefined || value === stored) return 'kept';
  return replace ? 'replaced' : 'ignored';
}
