import type { Clock } from '#shared/kernel';
import { holdFolder } from '../announce.ts';
import { journalFolder } from './journal-file.ts';

/** Runs the work as the only rehearsal of the data folder, because two would share a journal. @throws SettingsError */
export async function alone<T>(dataFolder: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const hold = await holdFolder(journalFolder(dataFolder), clock);
  try {
    return await work();
  } finally {
    await hold.release();
  }
}
