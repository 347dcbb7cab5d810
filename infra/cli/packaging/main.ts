import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * `npm pack` calls this: the command line as JavaScript, because Node reads no TypeScript in an installed package.
 * What `dependencies` names is installed beside it; everything else, such as the stand-ins, is in it.
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
  // What a command does not need is not loaded. All files lie beside each other, since one looks for the policy there.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.19',
  external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
  logLevel: 'warning',
});
