import { randomBytes } from 'node:crypto';
import { ConfigurationError } from '../configuration.ts';
import { carryOver, type SecretPlace, valueIn } from './carry-over.ts';

/** Result of the preparation. A new secret is made only if no data depends on an earlier one. */
export type InstallationSecretMade = 'present' | 'carried-over' | 'made';

/**
 * Runs before the deployment. It ensures that the functions find the installation secret that the stored questions
 * were keyed with. Otherwise the functions would store new data under another secret at once.
 * @param keyedTable existing table, whose answers and suppression list have keys made with the secret
 * @throws ConfigurationError if the secret is missing, or if there are two different ones
 */
export async function prepareInstallationSecret(
  place: Omit<SecretPlace, 'key'>,
  keyedTable: string | undefined,
): Promise<InstallationSecretMade> {
  const { documents, source, usedSource } = place;
  const secret = { ...place, key: 'installationSecret' } as const;
  const wanted = documents[source];
  const other = documents[source === 'ssm' ? 'secrets-manager' : 'ssm'];
  // The stack already uses this place, so its value is not read.
  if (usedSource === source && (await wanted.exists())) return 'present';
  const wantedValue = await valueIn(wanted, secret.key);
  const otherValue = await valueIn(other, secret.key);
  if (wantedValue && otherValue && wantedValue !== otherValue) {
    throw new ConfigurationError(
      `Two installation secrets: that of ${wanted.place} differs from that of ${other.place}, and stored data is found by only one of them. ${usedSource === undefined ? 'Delete the one that is not of these tables.' : `The stack uses ${usedSource}: delete the other one.`}`,
    );
  }
  if (await carryOver(secret)) return 'carried-over';
  if (wantedValue) return 'present';
  if (keyedTable !== undefined) throw lost(keyedTable, wanted.place, other.place);
  await wanted.write({ ...(await wanted.read()), [secret.key]: randomBytes(36).toString('base64url') });
  return 'made';
}

function lost(table: string, here: string, other: string): ConfigurationError {
  return new ConfigurationError(
    `The table ${table} is there, and the "installationSecret" under which its answers are found is neither in ${here} nor in ${other}. Put it back there, or start again and pay for all answers a second time: npm run destroy -- --with-data.`,
  );
}
