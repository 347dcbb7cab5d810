import { App } from 'aws-cdk-lib';
import { ComputeStack } from './aws/compute-stack.ts';
import { loadConfiguration, readStackSettings } from './aws/configuration.ts';
import { ConfigurationError } from './aws/configuration-faults.ts';
import { DataStack } from './aws/data-stack.ts';

/** Entry point for the CDK's command line. The CDK passes the context of `cdk.json` and collects the output. */
async function main(): Promise<void> {
  const app = new App();
  const configuration = await loadConfiguration(readStackSettings(app.node.getAllContext()));
  const data = new DataStack(app, configuration);
  const compute = new ComputeStack(app, configuration);
  compute.addStackDependency(data);
  app.synth();
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
