import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { ComputeStack } from '../../../infra/aws/compute-stack.ts';
import { DataStack } from '../../../infra/aws/data-stack.ts';
import { checkRules } from '../../../infra/aws/findings.ts';
import { configured, createApp } from './synthesised.ts';

/** Writes the app as `cdk synth` does. @throws Error with every finding */
function checked(
  change: (stacks: { data: DataStack; compute: ComputeStack }) => void,
  settings = {},
): string {
  const app = createApp(settings);
  const configuration = configured(settings);
  const stacks = { data: new DataStack(app, configuration), compute: new ComputeStack(app, configuration) };
  change(stacks);
  checkRules(app, stacks.compute, configuration);
  return app.synth().directory;
}

describe('the rules for solutions on AWS and for serverless ones', () => {
  it('find nothing but what is acknowledged with a reason, traced or not', () => {
    for (const settings of [{}, { tracing: true }]) {
      const folder = checked(() => undefined, settings);
      expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain('crm-enrichment-data');
    }
  });

  it.each(['data', 'compute'] as const)('find what is added without thinking: %s', (which) => {
    expect(() => checked((stacks) => new Queue(stacks[which], 'Another'))).toThrow(/AwsSolutions-SQS4/);
  });
});
