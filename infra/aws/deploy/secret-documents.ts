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
import { AWS_TIMEOUTS } from '#shared/http';
import type { SecretKey } from '#shared/secrets';
import { ConfigurationError } from '../configuration.ts';

/** Content of a secret: its key, and other fields that a person added. */
export type SecretValues = Readonly<Record<string, unknown>>;

/** One JSON document, in a SecureString of Parameter Store. */
export interface SecretDocument {
  /** Describes the place for people, with the secret's name. */
  readonly place: string;
  /** Whether the document exists, even if it is empty. Needs no right to read it. */
  exists(): Promise<boolean>;
  /** Reads the document, or `undefined` if there is none. @throws ConfigurationError that never quotes the content */
  read(): Promise<SecretValues | undefined>;
  /** Writes the whole document. Creates it if there is none. */
  write(values: SecretValues): Promise<void>;
  /** Writes the document if there is none. Never replaces one. */
  create(values: SecretValues): Promise<void>;
  /** Deletes the document permanently. Does nothing if there is none. */
  remove(): Promise<void>;
}

export interface SecretAccess extends SSMClientConfig {
  /** ARN of your own key. Absent for the AWS key. */
  readonly kmsKeyArn?: string | undefined;
}

export function secretDocument(
  Name: string,
  { kmsKeyArn, ...access }: SecretAccess = AWS_TIMEOUTS,
): SecretDocument {
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
