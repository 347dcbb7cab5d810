import type { Policy } from '#shared/field-policy';
import type { Clock, Logger } from '#shared/kernel';
import type { Store } from '#shared/store';
import { processIds } from '../../local/announce.ts';
import type { Transport } from '../../local/observed-send.ts';
import type { SavedState } from '../../local/schemas.ts';
import { siteOf, type Vendors } from '../../local/vendors.ts';
import type { Connection } from './connection.ts';
import { openServices } from './open-services.ts';

export type OutsideVendors = Pick<
  Vendors,
  'service' | 'dataService' | 'hubSpot' | 'clientSecret' | 'ownAppId'
>;

/** This machine's installation, wherever its tables are and its requests go. */
export interface LocalSite {
  readonly clock: Clock;
  readonly policy: Policy;
  readonly saved: Pick<SavedState, 'installedAtMs' | 'installationSecret' | 'refusedDeliveries'>;
  readonly path: string;
  readonly store: Store;
  readonly vendors: OutsideVendors;
  readonly transport: Transport;
  readonly logger: Logger;
}

export type LocalServices = Omit<Connection, 'queues' | 'hasWorkers'>;

/** Opens the services of a command on this machine. */
export function localServices({ saved, path, vendors, ...site }: LocalSite): LocalServices {
  const { installedAtMs, installationSecret, refusedDeliveries } = saved;
  const { dataService, hubSpot, clientSecret, ownAppId } = vendors;
  const isReal = vendors.service === 'real';
  return {
    ...openServices({
      ...site,
      installationSecret,
      dataService,
      hubSpot,
      ownAppId,
      newId: processIds,
      portalId: hubSpot.portalId,
      // The stand-ins run on this machine, so they show no other clock.
      referenceClock: isReal ? 'servers' : undefined,
    }),
    policy: site.policy,
    isReal,
    hubSpotSite: siteOf(vendors),
    path,
    isStack: false,
    installedAtMs,
    webhook: { clientSecret, refused: refusedDeliveries },
  };
}
