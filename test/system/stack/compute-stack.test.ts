import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { envSchema as worker } from '../../../functions/enrich-records/env.ts';
import { envSchema as receiver } from '../../../functions/receive-webhook/env.ts';
import { envSchema as reconciler } from '../../../functions/reconcile/env.ts';
import { envSchema as refresher } from '../../../functions/refresh-stale/env.ts';
import { envSchema as reporter } from '../../../functions/report-spend/env.ts';
import { ComputeStack } from '../../../infra/aws/compute-stack.ts';
import { readStackSettings, withPolicy } from '../../../infra/aws/configuration.ts';
import policy from '../../../infra/policy.ts';
import { createApp, DELIVERED, resourceOf, resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised();
const functions = Object.entries(resourcesOf(template, 'AWS::Lambda::Function'));
const propertiesOf = (type: string, prefix: string) => resourceOf(template, type, prefix).Properties;
const queue = (id: string) => propertiesOf('AWS::SQS::Queue', id);

describe('functions', () => {
  it('are six, on nodejs24.x and arm64, each with a log group of its own that forgets', () => {
    expect(functions).toHaveLength(6);
    for (const [, { Properties }] of functions) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
    const groups = functions.map(([, { Properties }]) => JSON.stringify(Properties['LoggingConfig']));
    expect(new Set(groups).size).toBe(6);
    const logs = Object.values(resourcesOf(template, 'AWS::Logs::LogGroup'));
    expect(logs).toHaveLength(6);
    expect(logs.map(({ Properties }) => Properties['RetentionInDays'])).toEqual(logs.map(() => 30));
  });

  it.each([
    ['ReceiveWebhook', receiver],
    ['EnrichRecords', worker],
    ['RefreshStale', refresher],
    ['Reconcile', reconciler],
    ['ReportSpend', reporter],
  ])('%s is given what its schema asks for, and nothing that it does not know', (name, schema) => {
    const { Environment } = propertiesOf('AWS::Lambda::Function', `Functions${name}`);
    const { NODE_OPTIONS, ...variables } = deployed(variablesOf(Environment));
    expect(schema.safeParse(variables).error).toBeUndefined();
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(Object.keys(variables)));
    expect(NODE_OPTIONS).toBe('--enable-source-maps');
  });

  it('are told of the app, the account and the old signature when these are set', () => {
    const own = synthesised({ hubSpotAppId: 7001, hubSpotPortalId: 24, webhookAllowV1: true });
    const given = (of: typeof template, name: string) =>
      variablesOf(resourceOf(of, 'AWS::Lambda::Function', `Functions${name}`).Properties['Environment']);
    expect(given(own, 'ReceiveWebhook')).toMatchObject({
      HUBSPOT_APP_ID: '7001',
      HUBSPOT_PORTAL_ID: '24',
      WEBHOOK_ALLOW_V1: 'true',
    });
    expect(given(own, 'ReportSpend')).toMatchObject({ HUBSPOT_APP_ID: '7001', HUBSPOT_PORTAL_ID: '24' });
    expect(given(own, 'EnrichRecords')).toMatchObject({ HUBSPOT_APP_ID: '7001', HUBSPOT_PORTAL_ID: '24' });
    own.hasOutput('HubSpotAppId', { Value: '7001' });
    own.hasOutput('HubSpotPortalId', { Value: '24' });
    expect(given(template, 'ReceiveWebhook')).not.toHaveProperty('WEBHOOK_ALLOW_V1');
    expect(template.findOutputs('HubSpotAppId')).toEqual({});
  });

  it('get nothing secret: no value, only what the names of the secrets begin with', () => {
    const text = JSON.stringify(functions.map(([, { Properties }]) => Properties['Environment']));
    expect(text).not.toMatch(/resolve:ssm|api_?key|access_?token|client_?secret|installationSecret/i);
    expect(text).toContain('"SECRET_PREFIX":"/crm-enrichment"');
  });
});

/** What CloudFormation would put in the place of references. */
function deployed(variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).map(([key, value]) => {
      if (typeof value === 'string') return [key, value];
      if (/URL$/.test(key)) return [key, 'https://deployed.example/x'];
      return [key, key === 'INSTALLED_AT' ? '2026-11-21T09:00:00.000Z' : 'deployed'];
    }),
  );
}

function variablesOf(environment: unknown): Readonly<Record<string, unknown>> {
  if (typeof environment !== 'object' || environment === null || !('Variables' in environment)) return {};
  return { ...(environment.Variables ?? {}) };
}

describe('queues', () => {
  it.each(['Urgent', 'Live', 'Bulk'])(
    '%s is encrypted and leads to its dead letters after three hours of receives',
    (lane) => {
      expect(queue(`Queues${lane}`)).toMatchObject({
        SqsManagedSseEnabled: true,
        VisibilityTimeout: 330,
        RedrivePolicy: { maxReceiveCount: 33 },
      });
      expect(queue(`Queues${lane}DeadLetters`)).toMatchObject({
        SqsManagedSseEnabled: true,
        MessageRetentionPeriod: 1_209_600,
        RedriveAllowPolicy: { redrivePermission: 'byQueue' },
      });
    },
  );

  it('refuse requests without TLS', () => {
    const policies = Object.values(resourcesOf(template, 'AWS::SQS::QueuePolicy'));
    expect(policies).toHaveLength(6);
    for (const { Properties } of policies) {
      expect(JSON.stringify(Properties)).toContain('{"Bool":{"aws:SecureTransport":"false"}}');
    }
  });

  it('feed the worker in the sizes of the plan: at 600 a minute bulk work in hundreds, still at most two at a time', () => {
    const fast = synthesised({ requestsPerMinute: '600' });
    const sources = Object.values(resourcesOf(fast, 'AWS::Lambda::EventSourceMapping')).map(
      ({ Properties }) => [
        Properties['BatchSize'],
        Properties['MaximumBatchingWindowInSeconds'],
        Object(Properties['ScalingConfig']).MaximumConcurrency,
      ],
    );
    expect(sources.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [10, undefined, 2],
      [10, undefined, 2],
      [100, 1, 2],
    ]);
  });

  it('feed the worker as many at once as the settings say, whatever the plan', () => {
    const chosen = synthesised({ requestsPerMinute: 600, liveConcurrency: 4, bulkConcurrency: 3 });
    const sources = Object.values(resourcesOf(chosen, 'AWS::Lambda::EventSourceMapping'));
    const most = sources.map(({ Properties }) => Object(Properties['ScalingConfig']).MaximumConcurrency);
    expect(most.sort()).toEqual([2, 3, 4]);
  });

  it('feed the worker in batches of five, at most two at a time, with partial failures', () => {
    const sources = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping'));
    expect(sources).toHaveLength(3);
    for (const { Properties } of sources) {
      expect(Properties).toMatchObject({
        BatchSize: 5,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 2 },
      });
      expect(JSON.stringify(Properties['FunctionName'])).toContain('FunctionsEnrichRecords');
    }
    // The worker's time and half a minute, so that nothing is delivered twice while it is worked on.
    expect(propertiesOf('AWS::Lambda::Function', 'FunctionsEnrichRecords')['Timeout']).toBe(300);
  });
});

describe('the API', () => {
  it('has a route to the receiver, and what HubSpot shows of us below it', () => {
    const routes = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route'));
    expect(routes.map(({ Properties }) => Properties['RouteKey'])).toEqual([
      ...['POST /hubspot', 'GET /hubspot/{proxy+}', 'POST /hubspot/{proxy+}'],
    ]);
    const integration = propertiesOf('AWS::ApiGatewayV2::Integration', 'RoutesWebhooks');
    expect(JSON.stringify(integration['IntegrationUri'])).toContain('FunctionsReceiveWebhook');
    const shown = propertiesOf('AWS::ApiGatewayV2::Integration', 'RoutesShown');
    expect(JSON.stringify(shown['IntegrationUri'])).toContain('FunctionsServeHubspot');
    expect(integration['ApiId']).toEqual({ Ref: 'ApiId' });
  });

  it('is the webhook URL, unless another is set', () => {
    const own = synthesised({ publicUrl: 'https://crm.example/hooks' });
    const { Environment } = resourceOf(own, 'AWS::Lambda::Function', 'FunctionsReceiveWebhook').Properties;
    expect(variablesOf(Environment)['PUBLIC_URL']).toBe('https://crm.example/hooks');
    const { Environment: standard } = propertiesOf('AWS::Lambda::Function', 'FunctionsReceiveWebhook');
    expect(variablesOf(standard)['PUBLIC_URL']).toEqual({ Ref: 'WebhookUrl' });
  });
});

it('schedules run reconcile and refresh-stale as configured, in the time zone of the policy', () => {
  const other = synthesised({ refreshSchedule: 'cron(0 3 * * ? *)' });
  const schedules = Object.values(resourcesOf(other, 'AWS::Scheduler::Schedule'));
  expect(schedules.map(({ Properties }) => Properties['ScheduleExpression']).sort()).toEqual([
    'cron(0 3 * * ? *)',
    'rate(1 minute)',
  ]);
  for (const { Properties } of schedules) {
    expect(Properties).toMatchObject({
      ScheduleExpressionTimezone: 'UTC',
      Target: { RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 60 } },
    });
  }
});

it.each(['Reconcile', 'RefreshStale'])(
  'a scheduled function %s starts within a minute or not at all, once',
  (name) => {
    const configs = Object.values(resourcesOf(template, 'AWS::Lambda::EventInvokeConfig'));
    const own = configs.filter(({ Properties }) => JSON.stringify(Properties['FunctionName']).includes(name));
    expect(own.map(({ Properties }) => Properties)).toMatchObject([
      { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
    ]);
  },
);

describe('the template', () => {
  it('is that of another installation by its name alone', () => {
    // Without its bundle, an asset's hash is of its place. A release is a hash of names too.
    const text = (of: Template) =>
      JSON.stringify(of.toJSON())
        .replaceAll(/[0-9a-f]{64}|(?<=CurrentVersion\w{8})[0-9a-f]{32}/g, 'hash')
        .replaceAll(/release [0-9a-f]{8}/g, 'release hash');
    const mine = text(template).replaceAll('crm-enrichment', 'crm-2');
    expect(text(synthesised({ stackName: 'crm-2' }))).toBe(mine);
  });

  it('fits into the ten concurrent executions of a new account, and reserves none of them', () => {
    expect(JSON.stringify(template.toJSON())).not.toContain('ReservedConcurrentExecutions');
    const sources = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping'));
    const workers = sources.map(({ Properties }) =>
      Number(Object(Properties['ScalingConfig']).MaximumConcurrency),
    );
    const scheduled = Object.keys(resourcesOf(template, 'AWS::Scheduler::Schedule')).length;
    // A second sweep ends as soon as it sees the first. The receiver takes a tenth of a second.
    const [overlappingSweep, receiver] = [1, 1];
    const most = workers.reduce((sum, each) => sum + each, scheduled + overlappingSweep + receiver);
    expect(most).toBeLessThanOrEqual(10);
  });

  it('tells the policy whatever its length, for the commands', () => {
    expect(template.toJSON()['Metadata']).toEqual({ Policy: JSON.stringify(policy) });
    const long = { ...policy, version: 'x'.repeat(20_000) };
    const configuration = withPolicy(readStackSettings(DELIVERED), long);
    const told = Template.fromStack(new ComputeStack(createApp(), configuration)).toJSON();
    expect(told['Metadata']).toEqual({ Policy: JSON.stringify(long) });
    expect(JSON.stringify(told['Resources'])).not.toContain('xxx');
  });
});
