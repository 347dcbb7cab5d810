import { resolve } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { createCompute } from '../../../infra/aws/compute-stack.ts';
import { readStackSettings, withPolicy } from '../../../infra/aws/configuration.ts';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { loadPolicy } from '../../../infra/load-policy.ts';

/** The functions' stack after a simulated refactoring: each construct is at another place. */
const app = new App();
const settings = readStackSettings(app.node.getAllContext());
const policy = await loadPolicy(resolve(PROJECT_ROOT, settings.policy));
const stack = new Stack(app, settings.stackName, { stackName: settings.stackName });
createCompute(new Construct(stack, 'Moved'), withPolicy(settings, policy));
app.synth();
