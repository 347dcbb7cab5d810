import { readMark } from '../own-installation.ts';
import { type Check, checkOf } from './check.ts';
import { commandFor } from './command-for.ts';
import { runHubSpotCheck } from './run-check.ts';
import type { Site } from './site.ts';

/** Checks whether another installation was later set up on this HubSpot account. */
export function installationCheck(site: Site): Promise<Check> {
  const name = 'installations';
  return runHubSpotCheck(name, 'mark-fails', async () => {
    const seen = await readMark(site.services);
    if (seen === 'other') return checkOf(name, 'another-installation', {});
    if (seen === 'ours') return checkOf(name, 'only-installation', {});
    return checkOf(name, 'no-mark', { command: commandFor(site, 'setup') });
  });
}
