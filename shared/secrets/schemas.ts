import * as z from 'zod/mini';
import { parseJson, UpstreamError } from '#shared/kernel';
import { OPTIONAL_KEYS, type SecretKey, type Secrets } from './secrets.ts';

export const secretsEnvSchema = z.object({
  /** Prefix of the secrets' names. Never a secret itself. */
  SECRET_PREFIX: z.string().check(z.minLength(1, 'is empty')),
});

/** Minimum lengths. If a secret can be guessed, its hashes are useless. */
const MIN_CHARACTERS: Readonly<Partial<Record<SecretKey, number>>> = { installationSecret: 16 };

/** Texts of the documents, by key. */
export type SecretDocumentTexts = ReadonlyMap<SecretKey, string>;

/**
 * Parses the secrets, each from its own document: `{"hubSpotAccessToken":"..."}`. An error names the faulty key and
 * never quotes the value.
 * @throws UpstreamError `SECRETS_MISSING` if the only problem is that some secrets are not filled in yet, otherwise
 * `SECRETS_UNUSABLE`
 */
export function parseSecrets<K extends SecretKey>(
  keys: readonly K[],
  documents: SecretDocumentTexts,
): Pick<Secrets, K> {
  const found = keys.map((key) => ({ key, ...valueIn(documents.get(key) ?? '', key) }));
  const values: Partial<Secrets> = Object.fromEntries(found.map(({ key, value }) => [key, value]));
  if (hasAll(values, keys)) return values;
  const wrong = found.filter(({ value }) => value === undefined);
  throw new UpstreamError({
    code: wrong.every(({ isEmpty }) => isEmpty) ? 'SECRETS_MISSING' : 'SECRETS_UNUSABLE',
    message: `The secret cannot be used: ${wrong.map(({ key, problem }) => `${key} ${problem}`).join(', ')}. Deploy with the right keys in the environment (docs/guides/deploy.md).`,
    retryable: false,
  });
}

function hasAll<K extends SecretKey>(
  values: Partial<Secrets>,
  keys: readonly K[],
): values is Partial<Secrets> & Pick<Secrets, K> {
  return keys.every((key) => values[key] !== undefined);
}

interface Found {
  readonly value?: string;
  readonly problem?: string;
  /** Set if the value is empty. */
  readonly isEmpty?: boolean;
}

const documentSchema = z.record(z.string(), z.unknown());
const textSchema = z.string();

function valueIn(document: string, key: SecretKey): Found {
  const parsed = documentSchema.safeParse(parseJson(document));
  if (!parsed.success) return { problem: 'is in no JSON object' };
  const { data: value = '', success } = textSchema.safeParse(parsed.data[key] ?? '');
  if (!success) return { problem: 'is no text' };
  if (value === '' && OPTIONAL_KEYS.has(key)) return { value };
  if (value === '') return { problem: 'is not filled in', isEmpty: true };
  const minCharacters = MIN_CHARACTERS[key] ?? 1;
  return value.length < minCharacters ? { problem: `needs at least ${minCharacters} characters` } : { value };
}
