/** Everything secret that an installation has; one JSON document, read at run time and never logged. */
export interface Secrets {
  readonly dataServiceApiKey: string;
  readonly hubSpotAccessToken: string;
  /** Signs HubSpot's webhooks; not the access token. */
  readonly hubSpotClientSecret: string;
  /** Keys every hash of ours; at least 16 characters, never changed: what is stored could not be found again. */
  readonly installationSecret: string;
}

export type ReadSecrets = () => Promise<Secrets>;
