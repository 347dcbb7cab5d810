import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type Announcement, announcementIn } from '../../infra/local/announce.ts';

/** Waits until a running system announces its address in the folder. Looks again after each change of the folder. */
export async function announced(folder: string): Promise<Announcement> {
  await mkdir(folder, { recursive: true });
  const watcher = watch(folder);
  try {
    for (;;) {
      const changed = once(watcher, 'change');
      const announcement = await announcementIn(folder);
      if (announcement) return announcement;
      await changed;
    }
  } finally {
    watcher.close();
  }
}
