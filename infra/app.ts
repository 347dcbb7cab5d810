import { resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ComputeStack } from './aws/compute-stack.ts';
import { ConfigurationError, readStackSettings, withPolicy } from './aws/configuration.ts';
import { DataStack } from './aws/data-stack.ts';
import { checkRules } from './aws/findings.ts';
import { PROJECT_ROOT } from './aws/project-root.ts';
import type { Settings } from './aws/schemas.ts';
import { loadPolicy } from './load-policy.ts';

/** Run by the CDK's command line, which hands over the context of `cdk.json` and collects what is written. */
async function main(): Promise<void> {
  const app = new App();
  const settings = readStackSettings(app.node.getAllContext());
  const configuration = withPolicy(settings, await policyOf(settings));
  const data = new DataStack(app, configuration);
  const compute = new ComputeStack(app, configuration);
  compute.addStackDependency(data);
  checkRules(app, compute);
  app.synth();
}

async function policyOf({ policy }: Settings): Promise<unknown> {
  try {
    return await loadPolicy(resolve(PROJECT_ROOT, policy));
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
