import type { BuildOptions } from 'esbuild';
import { PROJECT_ROOT } from './names.ts';

/**
 * Replaces modules that no function needs: credential providers that Lambda does not have, and a MIME database for file
 * uploads.
 */
export const BUNDLE_ALIASES = {
  '@aws-sdk/credential-provider-node': `${PROJECT_ROOT}/shared/kernel/lambda-credentials.system.ts`,
  'form-data': `${PROJECT_ROOT}/shared/hubspot/transport.ts`,
};

/**
 * Modules that libraries load only on demand. The functions never need them. 265 KB of undici: its second HTTP
 * parser, its WebAssembly for processors without SIMD, and form bodies. 15 KB of the AWS SDK: event streams, which no
 * operation here returns.
 */
export const BUNDLE_EXTERNALS: readonly string[] = [
  '../milo/*',
  '../llhttp/llhttp-wasm.js',
  '../web/*',
  '@smithy/core/event-streams',
];

/**
 * Makes one ESM file for each function. The file includes a fixed version of the AWS SDK, because this loads faster
 * than Lambda's own copy. The banner defines `require`, which CommonJS packages call.
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
