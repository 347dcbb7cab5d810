import { webhookProblem } from '#shared/alerts';
import { OPTIONAL_KEYS, type SecretKey } from '#shared/secrets';
import { ConfigurationError } from '../configuration.ts';
import { type SecretDocument, valueIn } from './secret-documents.ts';

/** The keys that a person provides, with the environment variables from which `deploy` reads them. */
const VARIABLES = {
  dataServiceApiKey: 'DATA_SERVICE_API_KEY',
  hubSpotAccessToken: 'HUBSPOT_ACCESS_TOKEN',
  hubSpotClientSecret: 'HUBSPOT_CLIENT_SECRET',
  alertWebhookUrl: 'ALERT_WEBHOOK_URL',
} as const satisfies Partial<Record<SecretKey, string>>;

export type FilledKey = keyof typeof VARIABLES;
const FILLED_KEYS = [
  'dataServiceApiKey',
  'hubSpotAccessToken',
  'hubSpotClientSecret',
  'alertWebhookUrl',
] as const;

/** Values from the environment. */
export type GivenKeys = Readonly<Partial<Record<FilledKey, string>>>;

/** Results by names of variables. It never contains their values. */
export interface Filling {
  /** Keys that were empty and now have the variable's value. */
  readonly filled: readonly string[];
  /** Keys that had another value and now have the variable's value. */
  readonly replaced: readonly string[];
  /** Keys that have another value than the variable and keep it. */
  readonly ignored: readonly string[];
  /** Needed keys that are still empty. */
  readonly missing: readonly string[];
  /** Keys that exist and were not read, because no variable has a value for them. */
  readonly unread: readonly string[];
}

export interface FillingWish {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Whether existing values may be replaced. Off by default, because a shell can have the keys of another
   * installation.
   */
  readonly replace: boolean;
}

type Documents = Readonly<Record<FilledKey, SecretDocument>>;
type Kind = keyof Filling | 'kept';

/** The planned change of each key. Made before any key is written. */
interface FillingPlan {
  readonly kinds: Readonly<Record<FilledKey, Kind>>;
  readonly written: GivenKeys;
}

/**
 * Plans the changes. Reads a stored value only if the environment has one to compare.
 * @throws ConfigurationError if a document has a wrong format, or if the webhook's address is not allowed
 */
export async function planFilling(documents: Documents, wish: FillingWish): Promise<FillingPlan> {
  const { environment, replace } = wish;
  refuseUnusableWebhook(environment);
  const kinds: Partial<Record<FilledKey, Kind>> = {};
  const written: Partial<Record<FilledKey, string>> = {};
  for (const key of FILLED_KEYS) {
    const value = environment[VARIABLES[key]] || undefined;
    const kind = await kindOf(documents[key], { key, value, replace });
    kinds[key] = kind;
    if (value !== undefined && (kind === 'filled' || kind === 'replaced')) written[key] = value;
  }
  return { kinds: kinds as FillingPlan['kinds'], written };
}

/**
 * Writes the planned values into the secrets, and keeps all other fields. Creates missing secrets without values,
 * because for a missing secret AWS would report only "access denied" to a function.
 */
export async function fillSecrets(documents: Documents, { kinds, written }: FillingPlan): Promise<Filling> {
  for (const key of FILLED_KEYS) {
    const document = documents[key];
    if (written[key] !== undefined) await document.write({ ...(await document.read()), [key]: written[key] });
    else if (!(await document.exists())) await document.create({ [key]: '' });
  }
  const isOfNote = (key: FilledKey) =>
    kinds[key] === 'ignored' || written[key] !== undefined || !OPTIONAL_KEYS.has(key);
  const named = (wanted: Kind) =>
    FILLED_KEYS.filter((key) => kinds[key] === wanted && isOfNote(key)).map((key) => VARIABLES[key]);
  return {
    filled: named('filled'),
    replaced: named('replaced'),
    ignored: named('ignored'),
    missing: named('missing'),
    unread: named('unread'),
  };
}

async function kindOf(
  document: SecretDocument,
  { key, value, replace }: { key: FilledKey; value: string | undefined; replace: boolean },
): Promise<Kind> {
  if (value === undefined) return (await document.exists()) ? 'unread' : 'missing';
  const stored = await valueIn(document, key);
  if (stored === undefined) return 'filled';
  if (value === stored) return 'kept';
  return replace ? 'replaced' : 'ignored';
}

function refuseUnusableWebhook({ ALERT_WEBHOOK_URL: url }: FillingWish['environment']): void {
  const problem = url ? webhookProblem(url) : undefined;
  if (problem) throw new ConfigurationError('wrong-webhook', { problem });
}
