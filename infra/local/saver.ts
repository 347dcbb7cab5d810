import type { DataFolder } from './data-folder.ts';
import type { EmbeddedQueues } from './embedded-queues.ts';
import type { SavedState } from './schemas.ts';
import type { Vendors } from './vendors.ts';

/** Saves the state for a restart. `more` is added to this save and to all later ones. */
export type Save = (more?: Partial<SavedState>) => Promise<void>;

interface SaverOptions {
  readonly folder: DataFolder;
  readonly aws: Pick<EmbeddedQueues, 'unfinished'>;
  readonly vendors: Pick<Vendors, 'sandbox'>;
  /** Absent if no server listens. The saved value then stays. */
  readonly refused?: () => SavedState['refusedDeliveries'];
}

/**
 * Saves the embedded queues and the stand-ins in one snapshot. So no snapshot loses an event between the stand-in
 * HubSpot and the queues.
 */
export function createSaver({
  folder,
  aws,
  vendors,
  refused = () => folder.saved.refusedDeliveries,
}: SaverOptions): Save {
  let { saved } = folder;
  return (more) => {
    saved = { ...saved, ...more };
    const refusedDeliveries = refused();
    const { hubSpot, dataService } = vendors.sandbox ?? {};
    return folder.save({
      ...saved,
      queued: aws.unfinished(),
      refusedDeliveries,
      ...(hubSpot && { hubSpot: hubSpot.state() }),
      ...(dataService && { dataService: dataService.state() }),
    });
  };
}
