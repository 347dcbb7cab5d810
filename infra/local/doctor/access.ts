import { ENVIRONMENT, type HubSpotAccess, type ServiceAccess } from './access-checks.ts';
import type { Site } from './site.ts';

/** Addresses and setting names of both services in this installation. */
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

/** A stack sets addresses at deployment and keys as secrets. */
const STACK = {
  dataService: { address: 'dataServiceBaseUrl', key: "the stack's secret data-service-api-key" },
  hubSpot: { address: 'hubSpotBaseUrl', key: "the stack's secret hubspot-access-token" },
} as const;
