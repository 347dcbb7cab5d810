import type { SecretKey } from '#shared/secrets';
import type { SecretSource } from '../schemas.ts';
import type { SecretDocument, SecretDocuments } from './secret-documents.ts';

/** A secret, with its current and its wanted place. */
export interface SecretPlace {
  readonly key: SecretKey;
  readonly documents: SecretDocuments;
  /** The place that the settings name. */
  readonly source: SecretSource;
  /** The place that the deployed functions read. Absent before a deployment. */
  readonly usedSource: SecretSource | undefined;
}

/**
 * Copies a secret to the place that the settings name. If both places have a value, the value in use wins. The old
 * copy stays.
 * @returns whether it copied
 */
export async function carryOver({ key, documents, source, usedSource }: SecretPlace): Promise<boolean> {
  const wanted = documents[source];
  // The stack already uses this place, so its value is not read.
  if (usedSource === source && (await wanted.exists())) return false;
  const wantedValue = await valueIn(wanted, key);
  if (wantedValue && (usedSource ?? source) === source) return false;
  const otherValue = await valueIn(documents[source === 'ssm' ? 'secrets-manager' : 'ssm'], key);
  if (!otherValue || otherValue === wantedValue) return false;
  await wanted.write({ ...(await wanted.read()), [key]: otherValue });
  return true;
}

/** @returns `undefined` if the secret is not filled in. @throws ConfigurationError if the secret has another format */
export async function valueIn(document: SecretDocument, key: SecretKey): Promise<string | undefined> {
  const value = (await document.read())?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
