import type { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { ComputeStack } from '../../../infra/aws/compute-stack.ts';
import { DataStack } from '../../../infra/aws/data-stack.ts';
import { granted } from './grants.ts';
import { configured, createApp, dataSynthesised, resourcesOf, synthesised } from './synthesised.ts';

const BOUNDARY = 'arn:aws:iam::123456789012:policy/boundary';
const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c-1111-2222-3333-444455556666';

describe('rules of the account', () => {
  it('bound every role (not played: a permissions boundary)', () => {
    const roles = Object.values(
      resourcesOf(synthesised({ permissionsBoundaryArn: BOUNDARY }), 'AWS::IAM::Role'),
    );
    expect(roles.length).toBeGreaterThan(5);
    for (const { Properties } of roles) expect(Properties['PermissionsBoundary']).toBe(BOUNDARY);
    const data = dataSynthesised({ permissionsBoundaryArn: BOUNDARY });
    expect(resourcesOf(data, 'AWS::IAM::Role')).toEqual({});
  });

  it.each([[{ team: 'sales', env: 'prod' }], ['team=sales,env=prod']])('tag both stacks: %s', (tags) => {
    const app: App = createApp({ tags });
    for (const Stack of [DataStack, ComputeStack]) {
      const stack = new Stack(app, configured({ tags }));
      expect(stack.tags.tagValues()).toEqual({ team: 'sales', env: 'prod' });
    }
  });

  it('encrypt tables with a key of your own, which each function may use (not played: a key of your own)', () => {
    const tables = Object.values(
      resourcesOf(dataSynthesised({ kmsKeyArn: KEY }), 'AWS::DynamoDB::GlobalTable'),
    );
    for (const { Properties } of tables)
      expect(Properties).toMatchObject({
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        Replicas: [{ SSESpecification: { KMSMasterKeyId: KEY } }],
      });
    const template = synthesised({ kmsKeyArn: KEY });
    for (const role of ['FunctionsEnrichRecords', 'FunctionsReceiveWebhook'])
      expect(granted(template, role)).toContain(`kms:Decrypt "${KEY}"`);
    expect(JSON.stringify(synthesised().toJSON())).not.toContain('kms:');
  });

  it.each([
    ['permissionsBoundaryArn', 'boundary'],
    ['kmsKeyArn', 'alias/mine'],
    ['tags', 'sales'],
    ['ledgerTable', 'a table'],
  ])('are refused where they are none: %s %s', (key, value) => {
    const refusal = {
      name: 'ConfigurationError',
      code: 'wrong-setting',
      params: expect.objectContaining({ key }),
    };
    expect(() => configured({ [key]: value })).toThrow(expect.objectContaining(refusal));
  });
});

it("a restored table takes the place of the stack's own in functions, permissions and outputs", () => {
  const template = synthesised({ ledgerTable: 'crm-ledger-restored' });
  const text = JSON.stringify(template.toJSON());
  expect(text).toContain('crm-ledger-restored');
  expect(text).not.toContain('crm-enrichment-ledger');
  expect(granted(template, 'FunctionsEnrichRecords')).toContain('dynamodb:PutItem crm-ledger-restored');
  const data = JSON.stringify(dataSynthesised({ ledgerTable: 'crm-ledger-restored' }).toJSON());
  expect(data).toContain('"TableName":"crm-enrichment-ledger"');
  expect(data).not.toContain('"TableName":"crm-ledger-restored"');
});

it('logs outlive both stacks for their retention, unless their creation failed (not played: RetainExceptOnCreate)', () => {
  const groups = [synthesised(), dataSynthesised()].flatMap((template) =>
    Object.values(resourcesOf(template, 'AWS::Logs::LogGroup')),
  );
  expect(groups).toHaveLength(7);
  for (const group of groups)
    expect(group).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { RetentionInDays: expect.any(Number) },
    });
});
