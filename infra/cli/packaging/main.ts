import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Builds the command line as JavaScript for `npm pack`, because Node does not run TypeScript in an installed package.
 * npm installs `dependencies` with the package. All other code, such as the stand-ins, is bundled.
 */
const ROOT = resolve(import.meta.dirname, '../../..');
const { dependencies } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

rmSync(`${ROOT}/dist`, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: { 'crm-enrichment': 'infra/cli/main.ts', policy: 'infra/policy.ts' },
  outdir: 'dist',
  bundle: true,
  // With splitting, a command loads only the code that it needs. All files are in one folder, because the program
  // looks for the policy in its own folder.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node24.15',
  external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
  logLevel: 'warning',
});
