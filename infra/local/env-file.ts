import { existsSync } from 'node:fs';

/** Scripts of `npm run` that a person starts; tests and installed packages take nothing from a file. */
const READERS: ReadonlySet<string | undefined> = new Set(['start', 'cli']);

/** Settings from `.env` in the project's folder, where the shell has not set them. */
export function readEnvFile(): void {
  if (READERS.has(process.env['npm_lifecycle_event']) && existsSync('.env')) process.loadEnvFile('.env');
}
