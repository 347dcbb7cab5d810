/** The secrets of an installation, each in a document of its own. What each is: `secrets.ts`. */
export const SECRET_KEYS = [
  'dataServiceApiKey',
  'hubSpotAccessToken',
  'hubSpotClientSecret',
  'installationSecret',
  'alertWebhookUrl',
] as const;

export type SecretKey = (typeof SECRET_KEYS)[number];

/** What an installation may do without: its document is there, and may be empty. */
export const OPTIONAL_KEYS: ReadonlySet<SecretKey> = new Set(['alertWebhookUrl']);

const NAMES: Readonly<Record<SecretKey, string>> = {
  dataServiceApiKey: 'data-service-api-key',
  hubSpotAccessToken: 'hubspot-access-token',
  hubSpotClientSecret: 'hubspot-client-secret',
  installationSecret: 'installation-secret',
  alertWebhookUrl: 'alert-webhook-url',
};

/** `/crm-enrichment` and `hubSpotAccessToken`: `/crm-enrichment/hubspot-access-token`. */
export function secretName(prefix: string, key: SecretKey): string {
  return `${prefix}/${NAMES[key]}`;
}
