/** The secrets of an installation, each in a document of its own. What each is: `secrets.ts`. */
export const SECRET_KEYS = [
  'dataServiceApiKey',
  'hubSpotAccessToken',
  'hubSpotClientSecret',
  'installationSecret',
] as const;

export type SecretKey = (typeof SECRET_KEYS)[number];

const NAMES: Readonly<Record<SecretKey, string>> = {
  dataServiceApiKey: 'data-service-api-key',
  hubSpotAccessToken: 'hubspot-access-token',
  hubSpotClientSecret: 'hubspot-client-secret',
  installationSecret: 'installation-secret',
};

/** `/crm-enrichment` and `hubSpotAccessToken`: `/crm-enrichment/hubspot-access-token`. */
export function secretName(prefix: string, key: SecretKey): string {
  return `${prefix}/${NAMES[key]}`;
}
