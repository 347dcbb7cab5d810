import { ENVIRONMENT, type HubSpotAccess, type ServiceAccess } from './access-checks.ts';
import type { Site } from './site.ts';

/** Both services as this installation has them set. */
export function accessOf({ services, dataService, hubSpot, isStack }: Site): {
  readonly dataService: ServiceAccess;
  readonly hubSpot: HubSpotAccess;
} {
  const setBy = isStack ? STACK : ENVIRONMENT;
  return {
    dataService: { address: dataService.baseUrl, setBy: setBy.dataService },
    hubSpot: { address: hubSpot.baseUrl, setBy: setBy.hubSpot, client: services.hubSpot },
  };
}

/** Addresses are settings of the deployment. */
const STACK = {
  dataService: { address: 'dataServiceBaseUrl', key: "the stack's secret data-service-api-key" },
  hubSpot: { address: 'hubSpotBaseUrl', key: "the stack's secret hubspot-access-token" },
} as const;
