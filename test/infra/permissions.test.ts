import { describe, expect, it } from 'vitest';
import type { FunctionName } from '../../infra/aws/names.ts';
import { granted } from './granted.ts';
import { resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised();

/** The table of permissions once more, written down independently of it, with what Lambda itself needs. */
const EXPECTED: Readonly<Record<FunctionName, readonly string[]>> = {
  'receive-webhook': [
    'secretsmanager:GetSecretValue Secret',
    'sqs:SendMessage QueuesBulk',
    'sqs:SendMessage QueuesLive',
    'sqs:SendMessage QueuesUrgent',
  ],
  'enrich-records': [
    ...['GetItem', 'PutItem'].flatMap((action) =>
      ['Ledger', 'Questions', 'TablesRateLimiter', 'TablesRecords'].map(
        (table) => `dynamodb:${action} ${table}`,
      ),
    ),
    'dynamodb:Query Ledger',
    'secretsmanager:GetSecretValue Secret',
    ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].flatMap((action) =>
      ['QueuesBulk', 'QueuesLive', 'QueuesUrgent'].map((queue) => `sqs:${action} ${queue}`),
    ),
  ],
  'refresh-stale': [
    'dynamodb:GetItem TablesRecords',
    'dynamodb:PutItem TablesRecords',
    'dynamodb:Query Ledger',
    'dynamodb:Query TablesRecords/index',
  ],
  reconcile: [
    ...['GetItem', 'PutItem'].flatMap((action) =>
      ['Ledger', 'Questions', 'TablesRateLimiter', 'TablesRecords'].map(
        (table) => `dynamodb:${action} ${table}`,
      ),
    ),
    'dynamodb:Query Ledger',
    'dynamodb:Query TablesRecords/index',
    'secretsmanager:GetSecretValue Secret',
    'sqs:GetQueueAttributes QueuesBulk',
    'sqs:GetQueueAttributes QueuesLive',
    'sqs:GetQueueAttributes QueuesUrgent',
    'sqs:SendMessage QueuesBulk',
    'sqs:SendMessage QueuesLive',
    'sqs:SendMessage QueuesUrgent',
  ],
  'report-spend': [
    'dynamodb:GetItem TablesRateLimiter',
    'dynamodb:Query Ledger',
    'dynamodb:Query TablesRecords/index',
  ],
};

const ROLES: Readonly<Record<FunctionName, string>> = {
  'receive-webhook': 'FunctionsReceiveWebhookRole',
  'enrich-records': 'FunctionsEnrichRecordsRole',
  'refresh-stale': 'FunctionsRefreshStaleRole',
  reconcile: 'FunctionsReconcileRole',
  'report-spend': 'FunctionsReportSpendRole',
};

const names: readonly FunctionName[] = [
  'receive-webhook',
  'enrich-records',
  'refresh-stale',
  'reconcile',
  'report-spend',
];

describe('permissions', () => {
  it.each(names)('of %s are those of its code and its own log group, and no others', (name) => {
    const logs = `${ROLES[name].replace(/Role$/, '')}Logs`;
    const own = [`logs:CreateLogStream ${logs}`, `logs:PutLogEvents ${logs}`];
    expect(granted(template, ROLES[name])).toEqual([...EXPECTED[name], ...own].sort());
  });

  it('of the schedules are to invoke the two functions that they run', () => {
    expect(granted(template, 'SchedulesRole')).toEqual([
      'lambda:InvokeFunction FunctionsReconcile',
      'lambda:InvokeFunction FunctionsRefreshStale',
    ]);
  });

  it('name the parameter instead of the secret where it is kept in SSM', () => {
    const lines = granted(synthesised({ secretSource: 'ssm' }), 'FunctionsReconcileRole');
    const secret = lines.filter((line) => /secret|ssm/i.test(line));
    expect(secret).toHaveLength(1);
    expect(secret[0]).toMatch(/^ssm:GetParameter .*:parameter\/crm-enrichment\/secrets/);
  });

  it('have no wildcard, no managed policy and no role shared by two functions', () => {
    const policies = JSON.stringify(Object.values(resourcesOf(template, 'AWS::IAM::Policy')));
    expect(policies).not.toContain('*');
    const roles = Object.values(resourcesOf(template, 'AWS::IAM::Role'));
    expect(roles.every(({ Properties }) => Properties['ManagedPolicyArns'] === undefined)).toBe(true);
    const used = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(({ Properties }) =>
      JSON.stringify(Properties['Role']),
    );
    expect(new Set(used).size).toBe(names.length);
  });
});
