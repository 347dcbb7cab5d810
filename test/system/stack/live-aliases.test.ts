import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { resourceOf, resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised();
const all = (type: string, of = template) => Object.entries(resourcesOf(of, type));
const FUNCTION = 'AWS::Lambda::Function';
const ALIAS = 'AWS::Lambda::Alias';

/** Logical ids of the functions and of their aliases, where a text names them. */
function named(value: unknown): readonly string[] {
  return [...JSON.stringify(value).matchAll(/"(Functions[A-Za-z]+?)[0-9A-F]{8}"/g)].map(([, id = '']) => id);
}

const SCHEDULED = ['FunctionsReconcileLive', 'FunctionsRefreshStaleLive'];

describe('a published version', () => {
  it('of each function is what its alias "live" points to', () => {
    expect(all(ALIAS)).toHaveLength(6);
    for (const [id, { Properties }] of all(ALIAS)) {
      expect(Properties).toMatchObject({ Name: 'live' });
      const name = id.replace(/Live[0-9A-F]{8}$/, '');
      expect(JSON.stringify(Properties['FunctionVersion'])).toContain(`"${name}CurrentVersion`);
      expect(named(Properties['FunctionName'])).toEqual([name]);
    }
  });

  it('stays after the next deployment, and is deleted if its own deployment fails (not played: RetainExceptOnCreate)', () => {
    expect(all('AWS::Lambda::Version')).toHaveLength(6);
    for (const [, version] of all('AWS::Lambda::Version'))
      expect(version).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
  });

  it('names its release, which is one for all functions', () => {
    expect(releases(template).size).toBe(1);
    expect([...releases(template)][0]).toMatch(/^[0-9a-f]{8}$/);
  });

  it.each([{ hubSpotAppId: 7001 }, { tracing: true }, { dataServiceBaseUrl: 'https://other.example' }])(
    'of every function is new where a setting changes one: %j',
    (setting) => {
      const changed = synthesised(setting);
      const versions = (of: Template) => all('AWS::Lambda::Version', of).map(([id]) => id);
      expect(versions(template).filter((id) => versions(changed).includes(id))).toEqual([]);
      expect(releases(changed)).not.toEqual(releases(template));
    },
  );

  it('of no function is new where no function changes', () => {
    const alarmed = synthesised({ alarmEmail: 'a@crm.example' });
    expect(all('AWS::Lambda::Version', alarmed)).toEqual(all('AWS::Lambda::Version'));
  });
});

function releases(of: Template): ReadonlySet<string> {
  return new Set(
    all(FUNCTION, of).map(
      ([, { Properties }]) => String(Properties['Description']).split(', release ')[1] ?? '',
    ),
  );
}

describe('the alias', () => {
  it.each([
    ['AWS::Lambda::EventSourceMapping', 'FunctionName', ['FunctionsEnrichRecordsLive']],
    ['AWS::Scheduler::Schedule', 'Target', SCHEDULED],
    [
      'AWS::ApiGatewayV2::Integration',
      'IntegrationUri',
      ['FunctionsReceiveWebhookLive', 'FunctionsServeHubspotLive'],
    ],
  ])('is what each caller invokes: %s', (type, property, called) => {
    const found = all(type).flatMap(([, { Properties }]) => {
      const target = Properties[property];
      return named(type.endsWith('Schedule') ? Object(target).Arn : target);
    });
    expect([...new Set(found)].sort()).toEqual(called);
  });

  it('is what the dashboard and the API may invoke, and nothing may invoke a function without it (not played: the call of the dashboard)', () => {
    const permitted = all('AWS::Lambda::Permission').flatMap(([, { Properties }]) =>
      named(Properties['FunctionName']),
    );
    expect([...new Set(permitted)].sort()).toEqual([
      'FunctionsReceiveWebhookLive',
      'FunctionsServeHubspotLive',
    ]);
    const { DashboardBody } = resourceOf(template, 'AWS::CloudWatch::Dashboard', 'Dashboard').Properties;
    expect(named(DashboardBody)).toContain('FunctionsReportSpendLive');
  });

  it('has the retries of a schedule: a setting of the function would not count for its callers (not played: retries of scheduled calls)', () => {
    const retried = all('AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties);
    expect(retried.map(({ FunctionName }) => named(FunctionName)[0]).sort()).toEqual([
      'FunctionsReconcile',
      'FunctionsRefreshStale',
    ]);
    for (const { MaximumRetryAttempts, Qualifier } of retried)
      expect([MaximumRetryAttempts, named(Qualifier)]).toEqual([0, [expect.stringMatching(/Live$/)]]);
  });
});

it('the metrics of functions count all versions: alarms and dashboard name the function alone', () => {
  const alarms = JSON.stringify(all('AWS::CloudWatch::Alarm'));
  expect(alarms).toContain('{"Name":"FunctionName"');
  expect(alarms).not.toContain('"Name":"Resource"');
});

describe('tracing', () => {
  const traced = synthesised({ tracing: 'true' });
  const policies = (of: Template) => JSON.stringify(all('AWS::IAM::Policy', of));

  it('is off as delivered, without a permission for it', () => {
    for (const [, { Properties }] of all(FUNCTION)) expect(Properties).not.toHaveProperty('TracingConfig');
    expect(policies(template)).not.toContain('xray');
  });

  it('is active in each function where it is set, with the two permissions that it needs (not played: traces)', () => {
    expect(all(FUNCTION, traced)).toHaveLength(6);
    for (const [, { Properties }] of all(FUNCTION, traced))
      expect(Properties['TracingConfig']).toEqual({ Mode: 'Active' });
    const statement = {
      Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
      Effect: 'Allow',
      Resource: '*',
    };
    const added = policies(traced).split(JSON.stringify(statement));
    expect(added).toHaveLength(7);
    expect(added.join('')).not.toContain('xray');
    expect(policies(traced).match(/"Resource":"\*"/g)).toHaveLength(6);
  });
});
