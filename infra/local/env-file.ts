import { existsSync } from 'node:fs';

/** npm scripts that a person starts. Tests and installed packages do not read `.env`. */
const READERS: ReadonlySet<string | undefined> = new Set(['start', 'cli']);

/** Reads settings from `.env` in the project's folder; settings of the shell take precedence. */
export function readEnvFile(): void {
  if (READERS.has(process.env['npm_lifecycle_event']) && existsSync('.env')) process.loadEnvFile('.env');
}
