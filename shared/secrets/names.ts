/** The secrets of an installation, each in its own document. `secrets.ts` describes them. */
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
