import { openItems, type Storage } from '#shared/store';
import { sweepWindowKind } from './stored-kinds.ts';

/** Opens the lease and the counter of all sweeps. */
export function createSweepWindow(settings: Storage) {
  return openItems(settings, sweepWindowKind);
}
