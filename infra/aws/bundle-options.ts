import type { BuildOptions } from 'esbuild';
import { PROJECT_ROOT } from './project-root.ts';

/**
 * What the bundler puts in the place of packages that are only weight in a function: the sources of credentials that
 * Lambda does not have, and a MIME database that only sent files need.
 */
export const BUNDLE_ALIASES: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': `${PROJECT_ROOT}/shared/kernel/lambda-credentials.system.ts`,
  'form-data': `${PROJECT_ROOT}/shared/hubspot/no-form-data.ts`,
};

/**
 * Files of undici that are loaded only on demand, and never here: its other HTTP parser, which an environment
 * variable asks for, and the WebAssembly for processors without SIMD. Left out, 220 KB.
 */
export const BUNDLE_EXTERNALS: readonly string[] = ['../milo/*', '../llhttp/llhttp-wasm.js'];

/**
 * One ESM file a function, with the AWS SDK in it: faster to load than Lambda's own copy, and pinned. The banner is
 * for CommonJS packages that call `require`.
 */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  minify: true,
  mainFields: ['module', 'main'],
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  logLevel: 'error',
} satisfies BuildOptions;
