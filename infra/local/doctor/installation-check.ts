import { OTHER_INSTALLATION, readMark } from '../installation-mark.ts';
import { type Check, ok, warn } from './check.ts';
import { commandFor } from './command-for.ts';
import { runCheck } from './run-check.ts';
import type { Site } from './site.ts';

/** Checks whether another installation was later set up on this HubSpot account. */
export function installationCheck(site: Site): Promise<Check> {
  const name = 'installations';
  return runCheck(name, 'see the check of the HubSpot token', async () => {
    const seen = await readMark(site.services);
    if (seen === 'other') return warn(name, OTHER_INSTALLATION.seen, OTHER_INSTALLATION.advice);
    if (seen === 'ours') return ok(name, 'no other installation was set up on this account later');
    const advice = `run: ${commandFor(site, 'setup')}`;
    return warn(name, 'this installation has left no mark in the account yet', advice);
  });
}
