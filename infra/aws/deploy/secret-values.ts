import { webhookProblem } from '#shared/alerts';
import { OPTIONAL_KEYS, type SecretKey } from '#shared/secrets';
import { ConfigurationError } from '../configuration.ts';
import { valueIn } from './carry-over.ts';
import type { SecretDocument } from './secret-documents.ts';

/** The keys that a person has to fill in, and the variables from which `deploy` takes them. */
const VARIABLES = {
  dataServiceApiKey: 'DATA_SERVICE_API_KEY',
  hubSpotAccessToken: 'HUBSPOT_ACCESS_TOKEN',
  hubSpotClientSecret: 'HUBSPOT_CLIENT_SECRET',
  alertWebhookUrl: 'ALERT_WEBHOOK_URL',
} as const satisfies Partial<Record<SecretKey, string>>;

export type FilledKey = keyof typeof VARIABLES;
export const FILLED_KEYS = [
  'dataServiceApiKey',
  'hubSpotAccessToken',
  'hubSpotClientSecret',
  'alertWebhookUrl',
] as const;

/** Names of variables, never their values. */
export interface Filling {
  /** Were empty, and have the variable's value now. */
  readonly filled: readonly string[];
  /** Had another value, and have the variable's now. */
  readonly replaced: readonly string[];
  /** Have another value than the variable, and keep it. */
  readonly ignored: readonly string[];
  /** Still empty, of those that it takes. */
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
 * @throws ConfigurationError where one is not a document of ours, or the address of the webhook may not be used
 */
export async function fillSecrets(
  documents: Readonly<Record<FilledKey, SecretDocument>>,
  wish: FillingWish,
): Promise<Filling> {
  refuseUnusableWebhook(wish.environment);
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
  return kind === 'missing' && OPTIONAL_KEYS.has(key) ? 'kept' : kind;
}

function refuseUnusableWebhook({ ALERT_WEBHOOK_URL: url }: FillingWish['environment']): void {
  const problem = url ? webhookProblem(url) : undefined;
  if (problem) throw new ConfigurationError(`ALERT_WEBHOOK_URL ${problem}.`);
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
