import { ConfigurationError } from '../configuration.ts';
import { releaseText } from '../names.ts';

/** A function with its published versions. */
export interface PublishedFunction {
  readonly name: string;
  /** The version that its alias points to. */
  readonly liveVersion: number;
  readonly versions: readonly PublishedVersion[];
}

interface PublishedVersion {
  readonly version: number;
  readonly release: string;
  /** The time as Lambda returns it. For display only. */
  readonly publishedAt: string;
}

/** One version of each function, all of the same release. */
export interface ReleaseSwitch {
  readonly from: string;
  readonly to: string;
  readonly publishedAt: string;
  readonly versions: readonly { readonly name: string; readonly version: number }[];
}

/** Reads the release from a version's description. @returns `undefined` if the description names none */
export function releaseIn(description: string): string | undefined {
  const [, release] = description.split(`, ${releaseText('')}`);
  return release;
}

/**
 * Chooses the release before the live one, or the wished release. After an interrupted switch, several releases are
 * live. Then the newest of them counts as the live one, so that the same command completes the switch.
 * @throws ConfigurationError if the release does not exist, or if a function has no version of it
 */
export function chooseRelease(functions: readonly PublishedFunction[], wished?: string): ReleaseSwitch {
  const releases = commonReleases(functions);
  const live = new Set(functions.map(liveRelease));
  const from = releases.findLast((release) => live.has(release));
  const to = wished ?? releases[releases.indexOf(from ?? '') - 1];
  const known = { releases: releases.join(', ') || 'none' };
  if (from === undefined) throw new ConfigurationError('no-common-release', known);
  if (to === undefined) throw new ConfigurationError('no-release-before', { ...known, from });
  if (!releases.includes(to)) throw new ConfigurationError('unknown-release', { ...known, to });
  const versions = functions.map((each) => ({ name: each.name, ...newestOf(each, to) }));
  return { from, to, publishedAt: versions[0]?.publishedAt ?? '', versions };
}

/**
 * Releases that all functions have, oldest first. A release that was deployed twice has the place of its last
 * deployment.
 */
function commonReleases(functions: readonly PublishedFunction[]): readonly string[] {
  const [first, ...others] = functions.map(({ versions }) => {
    const ordered = [...versions].sort((one, other) => other.version - one.version);
    return [...new Set(ordered.map(({ release }) => release))].reverse();
  });
  return (first ?? []).filter((release) => others.every((of) => of.includes(release)));
}

function liveRelease({ liveVersion, versions }: PublishedFunction): string | undefined {
  return versions.find(({ version }) => version === liveVersion)?.release;
}

function newestOf({ name, versions }: PublishedFunction, release: string): PublishedVersion {
  const ordered = [...versions].sort((one, other) => one.version - other.version);
  const found = ordered.findLast((each) => each.release === release);
  if (!found) throw new Error(`${name} has no version of release ${release}.`);
  return found;
}
