import type { SecretKey } from '#shared/secrets/names.ts';
import { valueIn } from './carry-over.ts';
import type { SecretDocument } from './secret-documents.ts';

/** The keys that a person has to fill in, and the variables from which `deploy` takes them. */
const VARIABLES = {
  dataServiceApiKey: 'DATA_SERVICE_API_KEY',
  hubSpotAccessToken: 'HUBSPOT_ACCESS_TOKEN',
  hubSpotClientSecret: 'HUBSPOT_CLIENT_SECRET',
} as const satisfies Partial<Record<SecretKey, string>>;

export type FilledKey = keyof typeof VARIABLES;
export const FILLED_KEYS = ['dataServiceApiKey', 'hubSpotAccessToken', 'hubSpotClientSecret'] as const;

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
 * Puts the values that stand in the environment into the secrets that have none, and keeps everything else. Makes
 * the secrets that are missing, empty: a function is not told that one is missing, only that it may not read it.
 * @throws ConfigurationError where one is not a document of ours
 */
export async function fillSecrets(
  documents: Readonly<Record<FilledKey, SecretDocument>>,
  wish: FillingWish,
): Promise<Filling> {
  const kinds: { readonly variable: string; readonly kind: Kind }[] = [];
  for (const key of FILLED_KEYS)
    kinds.push({ variable: VARIABLES[key], kind: await fillOne(documents[key], key, wish) });
  const named = (wanted: Kind) => kinds.filter(({ kind }) => kind === wanted).map(({ variable }) => variable);
  return {
    filled: named('filled'),
    replaced: named('replaced'),
    ignored: named('ignored'),
    missing: named('missing'),
  };
}

type Kind = keyof Filling | 'kept';

async function fillOne(
  document: SecretDocument,
  key: FilledKey,
  { environment, replace }: FillingWish,
): Promise<Kind> {
  const stored = await valueIn(document, key);
  const value = environment[VARIABLES[key]] || undefined;
  const kind = kindOf({ stored, value, replace });
  if (kind === 'filled' || kind === 'replaced')
    await document.write({ ...(await document.read()), [key]: value });
  if (kind === 'missing' && !(await document.exists())) await document.write({ [key]: '' });
  return kind;
}

function kindOf({
  stored,
  value,
  replace,
}: {
  stored: string | undefined;
  value: string | undefined;
  replace: boolean;
}): Kind {
  if (stored === undefined) return value === undefined ? 'missing' : 'filled';
  if (value === undefined || value === stored) return 'kept';
  return replace ? 'replaced' : 'ignored';
}
