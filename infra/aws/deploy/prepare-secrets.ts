import { randomBytes } from 'node:crypto';
import { AWS_TIMEOUTS } from '#shared/http';
import { SECRET_KEYS, type SecretKey, secretName } from '#shared/secrets';
import { ConfigurationError } from '../configuration.ts';
import { secretPrefix } from '../names.ts';
import { type SecretAccess, type SecretDocument, secretDocument, valueIn } from './secret-documents.ts';
import { type Filling, type FillingWish, fillSecrets, type GivenKeys, planFilling } from './secret-values.ts';

/** Each secret of an installation. */
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

export interface SecretsWish extends FillingWish {
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

/** Deletes every secret of the installation permanently. */
export async function removeSecrets(documents: SecretDocuments): Promise<void> {
  for (const key of SECRET_KEYS) await documents[key].remove();
}
