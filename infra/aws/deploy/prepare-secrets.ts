import { AWS_TIMEOUTS } from '#shared/http';
import { SECRET_KEYS, type SecretKey, secretName } from '#shared/secrets';
import { secretPrefix } from '../names.ts';
import type { SecretSource } from '../schemas.ts';
import { carryOver } from './carry-over.ts';
import { type InstallationSecretMade, prepareInstallationSecret } from './installation-secret.ts';
import { type SecretAccess, type SecretDocuments, secretDocuments } from './secret-documents.ts';
import {
  FILLED_KEYS,
  type Filling,
  type FillingWish,
  fillSecrets,
  type GivenKeys,
  planFilling,
} from './secret-values.ts';

/** Each secret of an installation, in every possible place. */
export type SecretPlaces = Readonly<Record<SecretKey, SecretDocuments>>;

export function secretPlaces(stackName: string, access: SecretAccess = AWS_TIMEOUTS): SecretPlaces {
  const documentsOf = (key: SecretKey) => secretDocuments(secretName(secretPrefix(stackName), key), access);
  return {
    dataServiceApiKey: documentsOf('dataServiceApiKey'),
    hubSpotAccessToken: documentsOf('hubSpotAccessToken'),
    hubSpotClientSecret: documentsOf('hubSpotClientSecret'),
    installationSecret: documentsOf('installationSecret'),
    alertWebhookUrl: documentsOf('alertWebhookUrl'),
  };
}

export interface SecretsWish extends FillingWish {
  readonly places: SecretPlaces;
  readonly source: SecretSource;
  readonly usedSource: SecretSource | undefined;
  readonly keyedTable: string | undefined;
  /** Checks all values before the first one is written. @throws ConfigurationError if a value is wrong */
  readonly check: (written: GivenKeys) => Promise<void>;
}

export interface SecretsPrepared extends Filling {
  readonly installationSecret: InstallationSecretMade;
  /** Names of the secrets that were copied from their former place. */
  readonly carriedOver: readonly SecretKey[];
}

/**
 * Creates and fills each secret before any function reads it. CloudFormation does not manage the secrets, because it
 * would replace a value when its template changes, and delete the secrets with the stack.
 * @throws ConfigurationError
 */
export async function prepareSecrets(wish: SecretsWish): Promise<SecretsPrepared> {
  const { places, source, usedSource, keyedTable } = wish;
  const { dataServiceApiKey, hubSpotAccessToken, hubSpotClientSecret, alertWebhookUrl } = places;
  const documents = {
    dataServiceApiKey: dataServiceApiKey[source],
    hubSpotAccessToken: hubSpotAccessToken[source],
    hubSpotClientSecret: hubSpotClientSecret[source],
    alertWebhookUrl: alertWebhookUrl[source],
  };
  const copied: SecretKey[] = [];
  for (const key of FILLED_KEYS) {
    if (await carryOver({ key, documents: places[key], source, usedSource })) copied.push(key);
  }
  const plan = await planFilling(documents, wish);
  await wish.check(plan.written);
  const installation = { documents: places.installationSecret, source, usedSource };
  const installationSecret = await prepareInstallationSecret(installation, keyedTable);
  const filling = await fillSecrets(documents, plan);
  const carriedOver =
    installationSecret === 'carried-over' ? ['installationSecret' as const, ...copied] : copied;
  return { ...filling, installationSecret, carriedOver };
}

/** Deletes every secret of the installation permanently. */
export async function removeSecrets(places: SecretPlaces): Promise<void> {
  const documents = SECRET_KEYS.flatMap((key) => [places[key]['secrets-manager'], places[key].ssm]);
  for (const document of documents) await document.remove();
}
