import type { SecretKey } from './names.ts';

/** Everything secret that an installation has: one document for each, read at run time and never logged. */
export interface Secrets {
  readonly dataServiceApiKey: string;
  readonly hubSpotAccessToken: string;
  /** Signs HubSpot's webhooks; not the access token. */
  readonly hubSpotClientSecret: string;
  /** Keys every hash of ours; at least 16 characters, never changed: what is stored could not be found again. */
  readonly installationSecret: string;
  /** The address alone allows posting to the chat. Empty without a chat. */
  readonly alertWebhookUrl: string;
}

/** Where documents lie. @returns the text of the one of this name. @throws UpstreamError `SECRETS_UNREADABLE` */
export type DocumentReader = (name: string) => Promise<string>;

export interface SecretsReader<K extends SecretKey> {
  /**
   * The same object as long as nothing has changed.
   * @throws UpstreamError `SECRETS_UNREADABLE`, `SECRETS_UNUSABLE`, `SECRETS_MISSING`
   */
  read(): Promise<Pick<Secrets, K>>;
  /** A service refused one of them: it may have been rotated, so the next reading is a new one. */
  doubt(): void;
}
