import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { checkRules } from '../../infra/aws/findings.ts';
import type { EnrichmentStack } from '../../infra/aws/stack.ts';
import { createApp, createStack } from './synthesised.ts';

/** Writes the app as `cdk synth` does. @throws Error with every finding */
function checked(change: (stack: EnrichmentStack) => void = () => {}, settings = {}): string {
  const app = createApp(settings);
  const stack = createStack(app, settings);
  change(stack);
  checkRules(app, stack);
  return app.synth().directory;
}

describe('the rules for solutions on AWS and for serverless ones', () => {
  it('find nothing but what is acknowledged with a reason, however the secret is kept', () => {
    for (const settings of [{}, { secretSource: 'ssm' }, { adopt: 'ledger,questions,secret' }]) {
      const folder = checked(undefined, settings);
      expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain('crm-enrichment');
    }
  });

  it('find what is added without thinking', () => {
    expect(() => checked((stack) => new Queue(stack, 'Another'))).toThrow(/AwsSolutions-SQS4/);
  });
});
