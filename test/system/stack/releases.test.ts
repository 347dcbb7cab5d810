import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../infra/aws/configuration-faults.ts';
import { chooseRelease, type PublishedFunction, releaseIn } from '../../../infra/aws/deploy/back.ts';

/** @param releases of its versions, from version 1 on */
function published(name: string, liveVersion: number, releases: string): PublishedFunction {
  const versions = [...releases].map((release, at) => ({
    version: at + 1,
    release,
    publishedAt: `day ${at + 1}`,
  }));
  return { name, liveVersion, versions };
}

describe('the release to switch to', () => {
  it('is the one before the live one, also if a function has older versions alone', () => {
    const chosen = chooseRelease([published('a', 3, 'xyz'), published('b', 2, 'yz')]);
    expect(chosen).toMatchObject({ from: 'z', to: 'y', publishedAt: 'day 2' });
    expect(chosen.versions.map(({ name, version }) => [name, version])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('skips a release that one function does not have', () => {
    expect(chooseRelease([published('a', 3, 'xyz'), published('b', 2, 'xz')]).to).toBe('x');
  });

  it('counts a release that was deployed twice at its last deployment, by its last version', () => {
    const { from, to, versions } = chooseRelease([published('a', 3, 'xyx')]);
    expect([from, to, versions[0]?.version]).toEqual(['x', 'y', 2]);
    expect(chooseRelease([published('a', 2, 'xyx')], 'x').versions[0]?.version).toBe(3);
  });

  it.each([
    [
      'before the first one',
      1,
      'x',
      undefined,
      new ConfigurationError('no-release-before', { from: 'x', releases: 'x' }),
    ],
    [
      'that no function has',
      1,
      'x',
      'y',
      new ConfigurationError('unknown-release', { to: 'y', releases: 'x' }),
    ],
    [
      'of an unknown version',
      9,
      'x',
      undefined,
      new ConfigurationError('no-common-release', { releases: 'x' }),
    ],
    [
      'of functions without one',
      1,
      '',
      undefined,
      new ConfigurationError('no-common-release', { releases: 'none' }),
    ],
  ])('is refused where there is none: %s', (_, live, releases, wished, refusal) => {
    expect(() => chooseRelease([published('a', live, releases)], wished)).toThrow(refusal);
  });

  it('is read from the description of a version', () => {
    expect(releaseIn('crm-enrichment: reconcile, release 0a1b2c3d')).toBe('0a1b2c3d');
    expect(releaseIn('something else')).toBeUndefined();
  });
});
