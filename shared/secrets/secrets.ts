import type { SecretKey } from './names.ts';

/** All secrets of an installation. Each secret has its own document. Secrets are read at run time and never logged. */
export interface Secrets {
  readonly dataServiceApiKey: string;
  readonly hubSpotAccessToken: string;
  /** The key with which HubSpot signs webhooks. It is not the access token. */
  readonly hubSpotClientSecret: string;
  /** Key of all our hashes, at least 16 characters. Never change it, because stored data could not be found again. */
  readonly installationSecret: string;
  /** Address for alerts. Anyone who has the address can post to the chat. Empty if alerts have no chat. */
  readonly alertWebhookUrl: string;
}

/** Reads a document by its name. @returns the document's text. @throws UpstreamError `SECRETS_UNREADABLE` */
export type DocumentReader = (name: string) => Promise<string>;

export interface SecretsReader<K extends SecretKey> {
  /**
   * Returns the same object until a secret changes.
   * @throws UpstreamError `SECRETS_UNREADABLE`, `SECRETS_UNUSABLE`, `SECRETS_MISSING`
   */
  read(): Promise<Pick<Secrets, K>>;
  /** Notes that a service refused a secret, which may have been rotated. Shortens the time until the next read. */
  doubt(): void;
}
