import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METRICS } from '#shared/metrics/names.ts';
import { resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised({ alarmEmail: 'operator@crm.example' });
const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);
const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `crm-enrichment: ${name}`);
const runbook = readFileSync(new URL('../../infra/RUNBOOK.md', import.meta.url), 'utf8');

/** The sections of the runbook by their headings. */
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
);

describe('alarms', () => {
  it.each(alarms.map((alarm) => [String(alarm['AlarmName']), alarm] as const))(
    '%s names a heading of the runbook that says what it is, where to look and what to do',
    (name, { AlarmDescription }) => {
      const heading = name.replace(/^crm-enrichment: /, '').replace(/ \(.*\)$/, '');
      expect(AlarmDescription).toBe(`See "${heading}" in infra/RUNBOOK.md.`);
      const section = sections.get(heading) ?? '';
      for (const part of ['Description', 'Investigation', 'Resolution'])
        expect(section).toContain(`**${part}.**`);
    },
  );

  it('tell the topic, which tells the address that is set', () => {
    expect(alarms.every(({ AlarmActions }) => JSON.stringify(AlarmActions).includes('AlarmsTopic'))).toBe(
      true,
    );
    template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'operator@crm.example',
    });
    expect(resourcesOf(synthesised(), 'AWS::SNS::Subscription')).toEqual({});
  });

  it('may publish on the topic, which a policy with nothing but a refusal would not let them', () => {
    const [policy] = Object.values(resourcesOf(template, 'AWS::SNS::TopicPolicy'));
    const { Statement } = Object(policy?.Properties['PolicyDocument']);
    expect(Statement).toContainEqual({
      Sid: 'AlarmsMayPublish',
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Resource: { Ref: expect.stringMatching(/^AlarmsTopic/) },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
  });

  it('look at plain metrics, which every stand-in for AWS knows', () => {
    for (const alarm of alarms) {
      expect(alarm).toMatchObject({ MetricName: expect.any(String), Namespace: expect.any(String) });
      expect(alarm).not.toHaveProperty('Metrics');
    }
  });

  it('cover what the functions measure, by stack', () => {
    const ours = alarms.filter(({ Namespace }) => Namespace === 'CrmEnrichment');
    const known = Object.values(METRICS).map(({ name }) => name);
    for (const { MetricName, Dimensions } of ours) {
      expect(known).toContain(MetricName);
      expect(Dimensions).toEqual([{ Name: 'service', Value: 'crm-enrichment' }]);
    }
  });

  it('ring at 80% and at 100% of a budget, and when nothing runs', () => {
    expect(named('Budget nearly used up')).toMatchObject({ MetricName: 'BudgetUsed', Threshold: 80 });
    expect(named('Budget used up')).toMatchObject({ MetricName: 'BudgetUsed', Threshold: 100 });
    expect(named('Sweep stopped')).toMatchObject({ Threshold: 0, TreatMissingData: 'breaching' });
    expect(named('Dead letters (live)')).toMatchObject({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 1,
    });
    expect(named('Refused webhooks')).toMatchObject({ Threshold: 5, Period: 300, EvaluationPeriods: 2 });
    expect(named('Refused webhooks (a few in six hours)')).toMatchObject({
      MetricName: 'WebhookSignaturesRefused',
      Threshold: 3,
      Period: 21_600,
      EvaluationPeriods: 1,
    });
    // Told only while the worker calls HubSpot: silence is no alarm, and one word lasts longer than a batch.
    expect(named('HubSpot limit near')).toMatchObject({
      MetricName: 'HubSpotDailyRemaining',
      Statistic: 'Minimum',
      Period: 3_600,
      TreatMissingData: 'notBreaching',
    });
    expect(named('Function errors (receive-webhook)')).toMatchObject({ MetricName: 'Errors' });
  });
});

describe('the dashboard', () => {
  it('shows the spend page through report-spend, and every metric of ours', () => {
    const [dashboard] = Object.values(resourcesOf(template, 'AWS::CloudWatch::Dashboard'));
    const text = JSON.stringify(dashboard?.Properties['DashboardBody']);
    expect(text).toContain('FunctionsReportSpend');
    expect(text).toMatch(/\\"type\\":\\"custom\\"/);
    for (const { name } of Object.values(METRICS)) expect(text).toContain(name);
  });

  it('searches for series as CloudWatch documents it: names bare, values quoted', () => {
    const [dashboard] = Object.values(resourcesOf(template, 'AWS::CloudWatch::Dashboard'));
    const text = JSON.stringify(dashboard?.Properties['DashboardBody']).replaceAll(/\\+/g, '');
    expect(text).toContain(
      `SEARCH('{CrmEnrichment,service,operation,purpose} MetricName="CreditsSpent" service="crm-enrichment"', 'Sum', 3600)`,
    );
    expect(text.match(/SEARCH\('\{[^"}]+\} MetricName="\w+" service="crm-enrichment"'/g)).toHaveLength(4);
  });
});
