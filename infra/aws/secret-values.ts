import { randomBytes } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, ParameterNotFound, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { Settings } from './schemas.ts';

/** The secret's keys that a person has to fill in, and the variables from which `deploy` takes them. */
const VARIABLES = {
  dataServiceApiKey: 'DATA_SERVICE_API_KEY',
  hubSpotAccessToken: 'HUBSPOT_ACCESS_TOKEN',
  hubSpotClientSecret: 'HUBSPOT_CLIENT_SECRET',
} as const;

/** One JSON document under a name, wherever it is kept. */
interface Document {
  read(): Promise<Readonly<Record<string, string>>>;
  write(values: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * Puts the values that stand in the environment into the secret, and keeps the others as they are.
 * @returns the variables whose values are still missing
 */
export async function fillSecret(
  { secretSource, secretId }: { readonly secretSource: Settings['secretSource']; readonly secretId: string },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const document = secretSource === 'ssm' ? parameterDocument(secretId) : secretDocument(secretId);
  const before = await document.read();
  const given = Object.entries(VARIABLES).flatMap(([key, variable]) => {
    const value = environment[variable];
    return value ? [[key, value] as const] : [];
  });
  // Never changed once it is there: everything stored is found by keys made with it.
  const installationSecret = before['installationSecret'] || randomBytes(36).toString('base64url');
  const after: Record<string, string> = { ...before, installationSecret, ...Object.fromEntries(given) };
  if (Object.entries(after).some(([key, value]) => before[key] !== value)) await document.write(after);
  return Object.entries(VARIABLES).flatMap(([key, variable]) => (after[key] ? [] : [variable]));
}

function secretDocument(SecretId: string): Document {
  const client = new SecretsManagerClient();
  return {
    read: async () => parse((await client.send(new GetSecretValueCommand({ SecretId }))).SecretString),
    write: async (values) => {
      await client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(values) }));
    },
  };
}

function parameterDocument(Name: string): Document {
  const client = new SSMClient();
  return {
    read: async () => {
      try {
        const { Parameter } = await client.send(new GetParameterCommand({ Name, WithDecryption: true }));
        return parse(Parameter?.Value);
      } catch (error) {
        if (error instanceof ParameterNotFound) return {};
        throw error;
      }
    },
    write: async (values) => {
      const Value = JSON.stringify(values);
      await client.send(new PutParameterCommand({ Name, Value, Type: 'SecureString', Overwrite: true }));
    },
  };
}

/** The functions say which key is wrong; here it is enough not to lose what is there. */
function parse(text = '{}'): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('The secret is not a JSON document.');
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => typeof entry === 'string'));
}
