import { randomBytes } from 'node:crypto';
import { ConfigurationError } from './configuration.ts';
import type { SecretDocuments, SecretValues } from './deploy/secret-documents.ts';
import type { SecretSource } from './schemas.ts';

/** The key under whose value everything stored is found. The functions' schema has it too. */
const KEY = 'installationSecret';

export interface InstallationSecretWish {
  readonly documents: SecretDocuments;
  /** Where the settings have it. */
  readonly source: SecretSource;
  /** Where the deployed stack has it; nothing without a stack. */
  readonly usedSource: string | undefined;
  /** The table of questions where there is one: its answers and suppression list have keys made with the secret. */
  readonly questionsTable: string | undefined;
}

/** What had to be done: a new one is made only where nothing has been stored under another. */
export type InstallationSecretMade = 'present' | 'carried-over' | 'made' | 'left-to-the-stack';

/**
 * Sees to it that the functions will find the installation secret under which the stored questions were written,
 * before they are deployed. Run before the stack is, because a stack that made another one would at once store under it.
 * @throws ConfigurationError where it cannot be found, or where there are two
 */
export async function prepareInstallationSecret(
  wish: InstallationSecretWish,
): Promise<InstallationSecretMade> {
  const { documents, source, usedSource, questionsTable } = wish;
  const here = documents[source];
  const other = documents[source === 'ssm' ? 'secrets-manager' : 'ssm'];
  const mine = await here.read();
  if (keyOf(mine) && usedSource === source) return 'present';
  const theirs = await other.read();
  if (keyOf(mine) && keyOf(theirs) && keyOf(mine) !== keyOf(theirs)) {
    throw new ConfigurationError(
      `Two installation secrets: that of ${here.place} differs from that of ${other.place}, and what is stored is found by one of them only. ${usedSource === undefined ? 'Delete the one that is not of these tables.' : `The stack uses ${usedSource}: delete the other one.`}`,
    );
  }
  const isUsed = usedSource !== undefined && usedSource !== source;
  if (keyOf(theirs) && (isUsed || !keyOf(mine))) {
    await here.write({ ...mine, ...filled(theirs) });
    return 'carried-over';
  }
  if (keyOf(mine)) return 'present';
  if (questionsTable !== undefined) throw lost(questionsTable, here.place, other.place);
  if (source === 'secrets-manager' && !(await here.exists())) return 'left-to-the-stack';
  await here.write({ ...mine, [KEY]: randomBytes(36).toString('base64url') });
  return 'made';
}

function keyOf(values: SecretValues | undefined): string | undefined {
  const value = values?.[KEY];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function filled(values: SecretValues | undefined): SecretValues {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== ''));
}

function lost(table: string, here: string, other: string): ConfigurationError {
  return new ConfigurationError(
    `The table ${table} is there, and the "${KEY}" under which its answers are found is neither in ${here} nor in ${other}. Put it back there, or, to start anew and pay for all answers again, export what you need and delete the table (its deletion protection first).`,
  );
}
