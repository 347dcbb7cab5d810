import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App } from 'aws-cdk-lib';
import { ConfigurationError, readSettings, withPolicy } from './aws/configuration.ts';
import { checkRules } from './aws/findings.ts';
import { PROJECT_ROOT } from './aws/project-root.ts';
import type { Settings } from './aws/schemas.ts';
import { EnrichmentStack } from './aws/stack.ts';

/** Run by the CDK's command line, which hands over the context of `cdk.json` and collects what is written. */
async function main(): Promise<void> {
  const app = new App();
  const settings = readSettings(app.node.getAllContext());
  const stack = new EnrichmentStack(app, withPolicy(settings, await loadPolicy(settings)));
  checkRules(app, stack);
  app.synth();
}

/** The policy is code: a file of ours, checked by the compiler before and by its schema now. */
async function loadPolicy({ policy }: Settings): Promise<unknown> {
  const address = pathToFileURL(resolve(PROJECT_ROOT, policy)).href;
  try {
    const { default: value }: { default?: unknown } = await import(address);
    return value;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `In the context of cdk.json "policy" names ${policy}, which fails: ${problem}`,
    );
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
