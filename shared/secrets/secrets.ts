/** Everything secret that an installation has; one JSON document, read at run time and never logged. */
export interface Secrets {
  readonly dataServiceApiKey: string;
  readonly hubSpotAccessToken: string;
  /** Signs HubSpot's webhooks; not the access token. */
  readonly hubSpotClientSecret: string;
  /** Keys every hash of ours; at least 16 characters, never changed: what is stored could not be found again. */
  readonly installationSecret: string;
}

/** Where the document lies. @returns its text. @throws UpstreamError `SECRETS_UNREADABLE` */
export type SecretSource = () => Promise<string>;

export interface SecretsReader {
  /** The same object as long as nothing has changed. @throws UpstreamError `SECRETS_UNREADABLE`, `SECRETS_UNUSABLE` */
  read(): Promise<Secrets>;
  /** Somebody refused one of them: it may have been rotated, so the next reading is a new one. */
  doubt(): void;
}
