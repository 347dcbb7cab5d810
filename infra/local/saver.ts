import type { DataFolder } from './data-folder.ts';
import type { EmbeddedAws } from './embedded-aws.ts';
import type { SavedState } from './schemas.ts';
import type { Vendors } from './vendors.ts';

/** Saves what outlives a restart; `more` stands in this save and all later ones. */
export type Save = (more?: Partial<SavedState>) => Promise<void>;

interface Kept {
  readonly folder: DataFolder;
  readonly aws: Pick<EmbeddedAws, 'unfinished'>;
  readonly vendors: Pick<Vendors, 'sandbox'>;
  /** Absent where nothing listens: then what was saved stays. */
  readonly refused?: () => SavedState['refusedDeliveries'];
}

/**
 * What the embedded queues and the stand-ins would forget, in one snapshot: an event is with the stand-in HubSpot or
 * in a queue in each of them, never in neither.
 */
export function createSaver({
  folder,
  aws,
  vendors,
  refused = () => folder.saved.refusedDeliveries,
}: Kept): Save {
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
