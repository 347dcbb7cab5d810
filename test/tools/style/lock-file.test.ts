import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'),
);
const packages = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'));

describe('package-lock.json', () => {
  it("names no registry but npm's own: nothing is fetched from a machine of somebody's", () => {
    const hosts = packages.flatMap(([, { resolved, link }]) =>
      resolved && !link ? new URL(resolved).host : [],
    );
    expect([...new Set(hosts)].filter((host) => host !== 'registry.npmjs.org')).toEqual([]);
  });

  it('has the checksum of every package, but of those in a bundle and of other platforms', () => {
    const without = packages.filter(
      ([, one]) => !one.integrity && !one.link && !one.inBundle && !one.optional,
    );
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('has the version of every package and workspace, which the bill of materials needs', () => {
    const without = Object.entries(lock.packages).filter(([, { version, link }]) => !version && !link);
    expect(without.map(([path]) => path)).toEqual([]);
  });
});
