import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceNotFoundException as SecretNotFoundException,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import {
  DeleteParameterCommand,
  GetParameterCommand,
  ParameterNotFound,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError } from '../configuration.ts';
import type { SecretSource } from '../schemas.ts';

/** Content of a secret: its key, and other fields that a person added. */
export type SecretValues = Readonly<Record<string, unknown>>;

/** One JSON document under a name, in either place. */
export interface SecretDocument {
  /** Describes the place for people, with the secret's name. */
  readonly place: string;
  /** Whether the document exists, even if it is empty. @throws ConfigurationError if it is marked for deletion */
  exists(): Promise<boolean>;
  /** Reads the document, or `undefined` if there is none. @throws ConfigurationError that never quotes the content */
  read(): Promise<SecretValues | undefined>;
  /** Writes the whole document. Creates it if there is none. */
  write(values: SecretValues): Promise<void>;
  /**
   * Deletes the document permanently, without the weeks of recovery in Secrets Manager. Does nothing if there is
   * none.
   */
  remove(): Promise<void>;
}

export type SecretDocuments = Readonly<Record<SecretSource, SecretDocument>>;

/** Opens both possible places of a secret. */
export function secretDocuments(
  name: string,
  { kmsKeyArn, ...access }: SecretAccess = AWS_TIMEOUTS,
): SecretDocuments {
  return {
    'secrets-manager': managedSecret(name, { access, kmsKeyArn }),
    ssm: secureParameter(name, { access, kmsKeyArn }),
  };
}

export interface SecretAccess extends SecretsManagerClientConfig {
  /** ARN of your own key. Absent for the AWS key. */
  readonly kmsKeyArn?: string | undefined;
}

interface Access {
  readonly access: SecretsManagerClientConfig;
  readonly kmsKeyArn: string | undefined;
}

function managedSecret(SecretId: string, { access, kmsKeyArn }: Access): SecretDocument {
  const client = new SecretsManagerClient(access);
  const place = `the secret ${SecretId} of Secrets Manager`;
  return {
    place,
    exists: async () => {
      const described = client.send(new DescribeSecretCommand({ SecretId }));
      if (!(await isFound(described, SecretNotFoundException))) return false;
      if ((await described).DeletedDate) throw markedForDeletion(place, SecretId);
      return true;
    },
    read: async () => {
      try {
        const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
        return parsed(SecretString, place);
      } catch (error) {
        if (error instanceof SecretNotFoundException) return undefined;
        // "...because it was marked for deletion": it still exists for some days.
        if (!(error instanceof InvalidRequestException)) throw error;
        throw markedForDeletion(place, SecretId);
      }
    },
    write: async (values) => {
      const SecretString = JSON.stringify(values);
      try {
        await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
      } catch (error) {
        if (!(error instanceof SecretNotFoundException)) throw error;
        await client.send(new CreateSecretCommand({ Name: SecretId, SecretString, KmsKeyId: kmsKeyArn }));
      }
    },
    remove: async () => {
      const removed = client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
      await isFound(removed, SecretNotFoundException);
    },
  };
}

function markedForDeletion(place: string, secretId: string): ConfigurationError {
  return new ConfigurationError(
    `Secrets Manager does not give ${place}. If it is marked for deletion: aws secretsmanager restore-secret --secret-id ${secretId}`,
  );
}

function secureParameter(Name: string, { access, kmsKeyArn }: Access): SecretDocument {
  const client = new SSMClient(access);
  const place = `the parameter ${Name} of SSM`;
  return {
    place,
    exists: () => isFound(client.send(new GetParameterCommand({ Name })), ParameterNotFound),
    read: async () => {
      try {
        const { Parameter } = await client.send(new GetParameterCommand({ Name, WithDecryption: true }));
        return parsed(Parameter?.Value, place);
      } catch (error) {
        if (error instanceof ParameterNotFound) return undefined;
        throw error;
      }
    },
    write: async (values) => {
      const Value = JSON.stringify(values);
      const encrypted = { Type: 'SecureString', KeyId: kmsKeyArn } as const;
      await client.send(new PutParameterCommand({ Name, Value, ...encrypted, Overwrite: true }));
    },
    remove: async () => {
      await isFound(client.send(new DeleteParameterCommand({ Name })), ParameterNotFound);
    },
  };
}

async function isFound(
  answer: Promise<unknown>,
  notFound: typeof SecretNotFoundException | typeof ParameterNotFound,
): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    if (error instanceof notFound) return false;
    throw error;
  }
}

function parsed(text: string | undefined, place: string): SecretValues {
  const value = json(text ?? '{}');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new ConfigurationError(
    `${place.replace(/^t/, 'T')} is not a JSON document: make it one, such as {"hubSpotAccessToken":"..."}.`,
  );
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
