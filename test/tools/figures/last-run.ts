import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const FILE = resolve(import.meta.dirname, '../../../node_modules/.cache/figures/last-test.json');

/** The last complete `npm test` on this machine, in seconds. */
export interface LastRun {
  readonly testSeconds: number;
  readonly checkSeconds: number;
}

export function keepLastRun(run: LastRun): void {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify(run));
}

/** @returns undefined if `npm test` has not passed here yet */
export function readLastRun(): LastRun | undefined {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as LastRun;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
