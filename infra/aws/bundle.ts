import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildResult, buildSync } from 'esbuild';
import { BUNDLE_ALIASES, BUNDLE_EXTERNALS, BUNDLE_OPTIONS } from './bundle-options.ts';
import type { Configuration } from './configuration.ts';
import type { FunctionName } from './names.ts';
import { PROJECT_ROOT } from './project-root.ts';

/**
 * Calls esbuild directly. The CDK's own construct starts npx for each function, which takes longer than the bundling.
 */
function buildFunction(name: FunctionName): BuildResult<{ write: false; metafile: true }> {
  return buildSync({
    absWorkingDir: PROJECT_ROOT,
    entryPoints: [`functions/${name}/main.ts`],
    // No file is written at this path. It is fixed so that the source map's paths, and the hash, are the same on
    // every machine.
    outfile: `cdk.out/function/index.mjs`,
    write: false,
    metafile: true,
    ...BUNDLE_OPTIONS,
    sourcemap: true,
    sourcesContent: false,
    alias: BUNDLE_ALIASES,
    external: [...BUNDLE_EXTERNALS],
  });
}

/** File of the validated policy, beside the code. The receiver has no policy. */
export const BUNDLED_POLICY = 'policy.json';

/** Contents of a function's package: `index.mjs`, its source map, and the policy. */
export function functionCode(name: FunctionName, { policyJson }: Pick<Configuration, 'policyJson'>): Code {
  return Code.fromAsset(join(PROJECT_ROOT, 'functions', name), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The type requires an image, but it is never used: the bundle is always built here.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (folder) => {
          mkdirSync(folder, { recursive: true });
          for (const { path, contents } of buildFunction(name).outputFiles) {
            writeFileSync(join(folder, basename(path)), contents);
          }
          if (name !== 'receive-webhook') writeFileSync(join(folder, BUNDLED_POLICY), policyJson);
          return true;
        },
      },
    },
  });
}
