import type { BuildOptions } from 'esbuild';
import { PROJECT_ROOT } from './project-root.ts';
import type { SecretSource } from './schemas.ts';

/** The client of AWS for the place where the stack does not keep its secrets; nothing else uses it. */
const UNUSED_CLIENT: Readonly<Record<SecretSource, string>> = {
  'secrets-manager': '@aws-sdk/client-ssm',
  ssm: '@aws-sdk/client-secrets-manager',
};

/**
 * What the bundler puts in the place of what is only weight in a function: the sources of credentials that Lambda
 * does not have, a MIME database that only sent files need, and the client for the place where the stack does not keep its secrets.
 */
export function bundleAliases(secretSource: SecretSource): Record<string, string> {
  return {
    '@aws-sdk/credential-provider-node': `${PROJECT_ROOT}/shared/kernel/lambda-credentials.system.ts`,
    'form-data': `${PROJECT_ROOT}/shared/hubspot/no-form-data.ts`,
    [UNUSED_CLIENT[secretSource]]: `${PROJECT_ROOT}/shared/secrets/not-bundled.ts`,
  };
}

/**
 * What is loaded only on demand, and never here. Of undici, 265 KB: its other HTTP parser, which an environment
 * variable asks for, the WebAssembly for processors without SIMD, and bodies that are forms. Of the AWS SDK, 15 KB:
 * the streams of events that no operation of ours answers with.
 */
export const BUNDLE_EXTERNALS: readonly string[] = [
  '../milo/*',
  '../llhttp/llhttp-wasm.js',
  '../web/*',
  '@smithy/core/event-streams',
];

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
