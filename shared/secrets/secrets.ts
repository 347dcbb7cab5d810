/** The secrets of an installation, each in its own document. */
export const SECRET_KEYS = [
  'dataServiceApiKey',
  'hubSpotAccessToken',
  'hubSpotClientSecret',
  'installationSecret',
  'alertWebhookUrl',
] as const;

export type SecretKey = (typeof SECRET_KEYS)[number];

/** Secrets that an installation does not need. Their documents exist, but can be empty. */
export const OPTIONAL_KEYS: ReadonlySet<SecretKey> = new Set(['alertWebhookUrl']);

const NAMES: Readonly<Record<SecretKey, string>> = {
  dataServiceApiKey: 'data-service-api-key',
  hubSpotAccessToken: 'hubspot-access-token',
  hubSpotClientSecret: 'hubspot-client-secret',
  installationSecret: 'installation-secret',
  alertWebhookUrl: 'alert-webhook-url',
};

/**
 * Builds the name of a secret. `/crm-enrichment` and `hubSpotAccessToken` give `/crm-enrichment/hubspot-access-token`.
 */
export function secretName(prefix: string, key: SecretKey): string {
  return `${prefix}/${NAMES[key]}`;
}

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
