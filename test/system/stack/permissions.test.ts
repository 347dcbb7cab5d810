import { describe, expect, it } from 'vitest';
import type { FunctionName } from '../../../infra/aws/names.ts';
import { granted } from './granted.ts';
import { resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised();

/** Every kind of stored items, also those that hold people. */
const EVERYTHING = [
  ...['BatchGetItem', 'PutItem'].flatMap((action) =>
    ['ledger', 'proof', 'state'].map((table) => `dynamodb:${action} crm-enrichment-${table}`),
  ),
  'dynamodb:Query crm-enrichment-state/index',
];

/** The buyer's kinds among those in the table; all others are a portal's. */
const OF_BUYER: ReadonlySet<string> = new Set(['breakers', 'question', 'spend-month']);

/** Keys of these kinds only; a query names partitions of the index. */
function stateKeys(action: string, kinds: readonly string[]): string[] {
  const table = `crm-enrichment-state${action === 'Query' ? '/index' : ''}`;
  return kinds.map((kind) => {
    const owner = OF_BUYER.has(kind) ? 'default' : 'portal-1';
    return `dynamodb:${action} ${table} ${owner}#${kind}#*`;
  });
}

/** The table of permissions once more, written down independently of it, with what Lambda itself needs. */
const EXPECTED: Readonly<Record<FunctionName, readonly string[]>> = {
  'receive-webhook': [
    'ssm:GetParameter /crm-enrichment/hubspot-client-secret',
    'sqs:SendMessage QueuesBulk',
    'sqs:SendMessage QueuesLive',
    'sqs:SendMessage QueuesUrgent',
  ],
  'enrich-records': [
    ...EVERYTHING,
    ...['proof', 'state'].map((table) => `dynamodb:ConditionCheckItem crm-enrichment-${table}`),
    'ssm:GetParameter /crm-enrichment/data-service-api-key',
    'ssm:GetParameter /crm-enrichment/hubspot-access-token',
    'ssm:GetParameter /crm-enrichment/installation-secret',
    ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].flatMap((action) =>
      ['QueuesBulk', 'QueuesLive', 'QueuesUrgent'].map((queue) => `sqs:${action} ${queue}`),
    ),
  ],
  'refresh-stale': [
    'dynamodb:BatchGetItem crm-enrichment-ledger default#head#*',
    ...['BatchGetItem', 'PutItem', 'Query'].flatMap((action) => stateKeys(action, ['record'])),
  ],
  reconcile: [
    ...EVERYTHING,
    'dynamodb:ConditionCheckItem crm-enrichment-proof',
    'ssm:GetParameter /crm-enrichment/alert-webhook-url',
    'ssm:GetParameter /crm-enrichment/hubspot-access-token',
    'ssm:GetParameter /crm-enrichment/installation-secret',
    'sqs:GetQueueAttributes QueuesBulk',
    'sqs:GetQueueAttributes QueuesLive',
    'sqs:GetQueueAttributes QueuesUrgent',
    'sqs:SendMessage QueuesBulk',
    'sqs:SendMessage QueuesLive',
    'sqs:SendMessage QueuesUrgent',
  ],
  'report-spend': [
    'dynamodb:BatchGetItem crm-enrichment-ledger default#entry#*',
    'dynamodb:BatchGetItem crm-enrichment-ledger default#head#*',
    ...stateKeys('BatchGetItem', [
      'backfill',
      'breakers',
      'day',
      'journal',
      'question',
      'record',
      'review',
      'spend-month',
    ]),
    'dynamodb:BatchGetItem crm-enrichment-state portal-1#status#portal',
    'dynamodb:BatchGetItem crm-enrichment-state portal-1#status#waiting',
    ...stateKeys('BatchGetItem', ['status#spend', 'status#write-breaker']),
    ...stateKeys('Query', ['backfill', 'question', 'record', 'review']),
  ],
  'serve-hubspot': [
    ...stateKeys('BatchGetItem', [
      'breakers',
      'home',
      'journal',
      'preview',
      'record',
      'request#action',
      'request#request',
      'review',
    ]),
    'dynamodb:BatchGetItem crm-enrichment-state portal-1#status#portal',
    ...stateKeys('PutItem', ['request#action', 'request#request']),
    'ssm:GetParameter /crm-enrichment/hubspot-access-token',
    'ssm:GetParameter /crm-enrichment/hubspot-client-secret',
    'sqs:SendMessage QueuesBulk',
    'sqs:SendMessage QueuesUrgent',
  ],
};

const ROLES: Readonly<Record<FunctionName, string>> = {
  'receive-webhook': 'FunctionsReceiveWebhookRole',
  'enrich-records': 'FunctionsEnrichRecordsRole',
  'refresh-stale': 'FunctionsRefreshStaleRole',
  reconcile: 'FunctionsReconcileRole',
  'report-spend': 'FunctionsReportSpendRole',
  'serve-hubspot': 'FunctionsServeHubspotRole',
};

const names: readonly FunctionName[] = [
  'receive-webhook',
  'enrich-records',
  'refresh-stale',
  'reconcile',
  'report-spend',
  'serve-hubspot',
];

describe('permissions', () => {
  it.each(names)('of %s are those of its code and its own log group, and no others', (name) => {
    const logs = `${ROLES[name].replace(/Role$/, '')}Logs`;
    const own = [`logs:CreateLogStream ${logs}`, `logs:PutLogEvents ${logs}`];
    expect(granted(template, ROLES[name])).toEqual([...EXPECTED[name], ...own].sort());
  });

  it('of the schedules are to invoke the two functions that they run', () => {
    expect(granted(template, 'SchedulesRole')).toEqual([
      'lambda:InvokeFunction FunctionsReconcileLive',
      'lambda:InvokeFunction FunctionsRefreshStaleLive',
    ]);
  });

  it('have no wildcard, no managed policy and no role shared by two functions', () => {
    const policies = Object.values(resourcesOf(template, 'AWS::IAM::Policy'));
    const withoutKeys = JSON.stringify(policies, (name, value) => (name === 'Condition' ? undefined : value));
    expect(withoutKeys).not.toContain('*');
    const roles = Object.values(resourcesOf(template, 'AWS::IAM::Role'));
    expect(roles.every(({ Properties }) => Properties['ManagedPolicyArns'] === undefined)).toBe(true);
    const used = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(({ Properties }) =>
      JSON.stringify(Properties['Role']),
    );
    expect(new Set(used).size).toBe(names.length);
  });
});
