import { randomBytes } from 'node:crypto';
import {
  DeleteParameterCommand,
  DescribeParametersCommand,
  GetParameterCommand,
  ParameterAlreadyExists,
  ParameterNotFound,
  PutParameterCommand,
  SSMClient,
  type SSMClientConfig,
} from '@aws-sdk/client-ssm';
import { webhookProblem } from '#shared/alerts';
import { AWS_TIMEOUTS } from '#shared/http';
import { parseJson } from '#shared/kernel';
import { OPTIONAL_KEYS, SECRET_KEYS, type SecretKey, secretName } from '#shared/secrets';
import { ConfigurationError } from '../configuration-faults.ts';
import { secretPrefix } from '../names.ts';

export type SecretDocuments = Readonly<Record<SecretKey, SecretDocument>>;

export function secretDocuments(stackName: string, access: SecretAccess = AWS_TIMEOUTS): SecretDocuments {
  return Object.fromEntries(
    SECRET_KEYS.map((key) => [key, secretDocument(secretName(secretPrefix(stackName), key), access)]),
  ) as SecretDocuments;
}

interface SecretsWish extends FillingWish {
  readonly documents: SecretDocuments;
  /** Whether functions are deployed, which use the installation secret. */
  readonly isDeployed: boolean;
  /** Existing table, whose answers and suppression list have keys made with the installation secret. */
  readonly keyedTable: string | undefined;
  /** Checks all values before the first one is written. @throws ConfigurationError if a value is wrong */
  readonly check: (written: GivenKeys) => Promise<void>;
}

/**
 * Creates and fills each secret before any function reads it. CloudFormation does not manage the secrets, because it
 * would replace a value when its template changes, and delete the secrets with the stack.
 * @throws ConfigurationError
 */
export async function prepareSecrets(wish: SecretsWish): Promise<Filling> {
  const { documents } = wish;
  const plan = await planFilling(documents, wish);
  await wish.check(Object.fromEntries(plan.flatMap(({ key, value }) => (value ? [[key, value]] : []))));
  await prepareInstallationSecret(wish);
  return fillSecrets(documents, plan);
}

/**
 * Ensures that the functions find the installation secret that the stored questions were keyed with. Otherwise the
 * functions would store new data under another secret at once. A new secret is made only if no data depends on one.
 * @throws ConfigurationError if the secret is missing
 */
async function prepareInstallationSecret({ documents, isDeployed, keyedTable }: SecretsWish): Promise<void> {
  const secret = documents.installationSecret;
  // The functions already use it, so its value is not read.
  if (isDeployed && (await secret.exists())) return;
  if (await valueIn(secret, 'installationSecret')) return;
  if (keyedTable !== undefined)
    throw new ConfigurationError('secret-lost', { table: keyedTable, place: secret.place });
  const made = { installationSecret: randomBytes(36).toString('base64url') };
  await secret.write({ ...(await secret.read()), ...made });
}

export async function existingSecrets(documents: SecretDocuments): Promise<readonly SecretKey[]> {
  const keys: SecretKey[] = [];
  for (const key of SECRET_KEYS) if (await documents[key].exists()) keys.push(key);
  return keys;
}

export async function removeSecrets(documents: SecretDocuments): Promise<void> {
  for (const key of SECRET_KEYS) await documents[key].remove();
}

/** The keys that a person provides, with the environment variables from which `deploy` reads them. */
const VARIABLES = {
  dataServiceApiKey: 'DATA_SERVICE_API_KEY',
  hubSpotAccessToken: 'HUBSPOT_ACCESS_TOKEN',
  hubSpotClientSecret: 'HUBSPOT_CLIENT_SECRET',
  alertWebhookUrl: 'ALERT_WEBHOOK_URL',
} as const satisfies Partial<Record<SecretKey, string>>;

type FilledKey = keyof typeof VARIABLES;
const FILLED_KEYS = Object.keys(VARIABLES) as FilledKey[];

export type GivenKeys = Readonly<Partial<Record<FilledKey, string>>>;

/** Results by names of variables. It never contains their values. */
export interface Filling {
  readonly filled: readonly string[];
  readonly replaced: readonly string[];
  readonly ignored: readonly string[];
  readonly missing: readonly string[];
  /** Keys that exist and were not read, because no variable has a value for them. */
  readonly unread: readonly string[];
}

interface FillingWish {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Whether existing values may be replaced. Off by default, because a shell can have the keys of another
   * installation.
   */
  readonly replace: boolean;
}

type Documents = Readonly<Record<FilledKey, SecretDocument>>;

/** The planned change of each key. Made before any key is written. */
type FillingPlan = readonly {
  readonly key: FilledKey;
  readonly kind: keyof Filling | 'kept';
  /** The value to write; absent if the key stays as it is. */
  readonly value?: string | undefined;
}[];

/**
 * Plans the changes. Reads a stored value only if the environment has one to compare.
 * @throws ConfigurationError if a document has a wrong format, or if the webhook's address is not allowed
 */
async function planFilling(
  documents: Documents,
  { environment, replace }: FillingWish,
): Promise<FillingPlan> {
  const { ALERT_WEBHOOK_URL: url } = environment;
  const problem = url ? webhookProblem(url) : undefined;
  if (problem) throw new ConfigurationError('wrong-webhook', { problem });
  return Promise.all(
    FILLED_KEYS.map(async (key) => {
      const value = environment[VARIABLES[key]] || undefined;
      const kind = await kindOf(documents[key], { key, value, replace });
      return { key, kind, ...((kind === 'filled' || kind === 'replaced') && { value }) };
    }),
  );
}

/**
 * Writes the planned values into the secrets, and keeps all other fields. Creates missing secrets without values,
 * because for a missing secret AWS would report only "access denied" to a function.
 */
async function fillSecrets(documents: Documents, plan: FillingPlan): Promise<Filling> {
  for (const { key, value } of plan) {
    const document = documents[key];
    if (value !== undefined) await document.write({ ...(await document.read()), [key]: value });
    else if (!(await document.exists())) await document.create({ [key]: '' });
  }
  const ofNote = plan.filter(
    ({ key, kind, value }) => kind === 'ignored' || value !== undefined || !OPTIONAL_KEYS.has(key),
  );
  const named = (wanted: keyof Filling) =>
    ofNote.filter(({ kind }) => kind === wanted).map(({ key }) => VARIABLES[key]);
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
): Promise<FillingPlan[number]['kind']> {
  if (value === undefined) return (await document.exists()) ? 'unread' : 'missing';
  const stored = await valueIn(document, key);
  if (stored === undefined) return 'filled';
  if (value === stored) return 'kept';
  return replace ? 'replaced' : 'ignored';
}

type SecretValues = Readonly<Record<string, unknown>>;

/** One JSON document, in a SecureString of Parameter Store. */
interface SecretDocument {
  /** Describes the place for people, with the secret's name. */
  readonly place: string;
  /** Whether the document exists, even if it is empty. Needs no right to read it. */
  exists(): Promise<boolean>;
  /** Reads the document, or `undefined` if there is none. @throws ConfigurationError that never quotes the content */
  read(): Promise<SecretValues | undefined>;
  write(values: SecretValues): Promise<void>;
  /** Writes the document if there is none. Never replaces one. */
  create(values: SecretValues): Promise<void>;
  remove(): Promise<void>;
}

interface SecretAccess extends SSMClientConfig {
  /** ARN of your own key. Absent for the AWS key. */
  readonly kmsKeyArn?: string | undefined;
}

function secretDocument(Name: string, { kmsKeyArn, ...access }: SecretAccess = AWS_TIMEOUTS): SecretDocument {
  const client = new SSMClient(access);
  const place = `the parameter ${Name} of SSM`;
  const put = async (values: SecretValues, Overwrite: boolean) => {
    const encrypted = { Type: 'SecureString', KeyId: kmsKeyArn } as const;
    await client.send(
      new PutParameterCommand({ Name, Value: JSON.stringify(values), ...encrypted, Overwrite }),
    );
  };
  return {
    place,
    exists: async () => {
      const ParameterFilters = [{ Key: 'Name', Option: 'Equals', Values: [Name] }];
      const { Parameters = [] } = await client.send(new DescribeParametersCommand({ ParameterFilters }));
      return Parameters.length > 0;
    },
    read: async () => {
      try {
        const { Parameter } = await client.send(new GetParameterCommand({ Name, WithDecryption: true }));
        return parsed(Parameter?.Value, place);
      } catch (error) {
        if (error instanceof ParameterNotFound) return undefined;
        throw error;
      }
    },
    write: (values) => put(values, true),
    create: async (values) => {
      try {
        await put(values, false);
      } catch (error) {
        if (!(error instanceof ParameterAlreadyExists)) throw error;
      }
    },
    remove: async () => {
      try {
        await client.send(new DeleteParameterCommand({ Name }));
      } catch (error) {
        if (!(error instanceof ParameterNotFound)) throw error;
      }
    },
  };
}

/** @returns `undefined` if the secret is not filled in. @throws ConfigurationError if the secret has another format */
export async function valueIn(document: SecretDocument, key: SecretKey): Promise<string | undefined> {
  const value = (await document.read())?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function parsed(text: string | undefined, place: string): SecretValues {
  // It hides the parser's own message, which would quote a part of the secret.
  const value = parseJson(text ?? '{}');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new ConfigurationError('not-a-document', { place: place.replace(/^t/, 'T') });
}
