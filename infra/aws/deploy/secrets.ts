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
import { OPTIONAL_KEYS, SECRET_KEYS, type SecretKey, secretName } from '#shared/secrets';
import { ConfigurationError } from '../configuration-faults.ts';
import { secretPrefix } from '../names.ts';

export type SecretDocuments = Readonly<Record<SecretKey, SecretDocument>>;

export function secretDocuments(stackName: string, access: SecretAccess = AWS_TIMEOUTS): SecretDocuments {
  const documentOf = (key: SecretKey) => secretDocument(secretName(secretPrefix(stackName), key), access);
  return {
    dataServiceApiKey: documentOf('dataServiceApiKey'),
    hubSpotAccessToken: documentOf('hubSpotAccessToken'),
    hubSpotClientSecret: documentOf('hubSpotClientSecret'),
    installationSecret: documentOf('installationSecret'),
    alertWebhookUrl: documentOf('alertWebhookUrl'),
  };
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
  await wish.check(plan.written);
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
const FILLED_KEYS = [
  'dataServiceApiKey',
  'hubSpotAccessToken',
  'hubSpotClientSecret',
  'alertWebhookUrl',
] as const;

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
async function planFilling(documents: Documents, wish: FillingWish): Promise<FillingPlan> {
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
async function fillSecrets(documents: Documents, { kinds, written }: FillingPlan): Promise<Filling> {
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
  const value = json(text ?? '{}');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new ConfigurationError('not-a-document', { place: place.replace(/^t/, 'T') });
}

/** Hides the parser's own message, which would quote a part of the secret. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
