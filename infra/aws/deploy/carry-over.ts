import type { SecretKey } from '#shared/secrets';
import type { SecretSource } from '../schemas.ts';
import type { SecretDocument, SecretDocuments } from './secret-documents.ts';

/** One secret, and where it is and has to be. */
export interface SecretPlace {
  readonly key: SecretKey;
  readonly documents: SecretDocuments;
  /** Where the settings have it. */
  readonly source: SecretSource;
  /** Where the deployed functions read it; nothing without them. */
  readonly usedSource: SecretSource | undefined;
}

/** Copies a secret to where the settings have it now: what is in use wins. The old copy stays. @returns whether it did */
export async function carryOver({ key, documents, source, usedSource }: SecretPlace): Promise<boolean> {
  const here = documents[source];
  // The stack uses it already, so that its value is not read.
  if (usedSource === source && (await here.exists())) return false;
  const mine = await valueIn(here, key);
  if (mine && (usedSource ?? source) === source) return false;
  const theirs = await valueIn(documents[source === 'ssm' ? 'secrets-manager' : 'ssm'], key);
  if (!theirs || theirs === mine) return false;
  await here.write({ ...(await here.read()), [key]: theirs });
  return true;
}

/** Nothing where it is not filled in. @throws ConfigurationError where it is no document of ours */
export async function valueIn(document: SecretDocument, key: SecretKey): Promise<string | undefined> {
  const value = (await document.read())?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
