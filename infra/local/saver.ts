import type { DataFolder } from './data-folder.ts';
import type { SavedState } from './schemas.ts';
import type { Sandbox } from './vendors.ts';

/** Saves the state for a restart. `more` is added to this save and to all later ones. */
export type Save = (more?: Partial<SavedState>) => Promise<void>;

interface SaverOptions {
  readonly folder: DataFolder;
  readonly vendors: { readonly sandbox?: Pick<Sandbox, 'hubSpot' | 'dataService'> | undefined };
  /** Absent if no server listens. The saved value then stays. */
  readonly refused?: () => SavedState['refusedDeliveries'];
}

/** Saves the installation and the stand-ins in one snapshot. The store keeps everything else itself. */
export function createSaver({
  folder,
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
      refusedDeliveries,
      ...(hubSpot && { hubSpot: hubSpot.state() }),
      ...(dataService && { dataService: dataService.state() }),
    });
  };
}
