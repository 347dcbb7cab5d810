import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METRICS } from '#shared/metrics';
import { ALARMS, titleOf } from '../../../infra/aws/alarm-list.ts';
import { RUNBOOK } from '../../tools/docs/commands.ts';
import { resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised({ alarmEmail: 'operator@crm.example' });
const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);
const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `crm-enrichment: ${name}`);
const runbook = readFileSync(RUNBOOK, 'utf8');

/** The sections of the runbook by their headings. */
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
);

describe('alarms', () => {
  it.each(alarms.map((alarm) => [String(alarm['AlarmName']), alarm] as const))(
    '%s says what is lost, and names a heading of the runbook that says where to look and what to do',
    (name, { AlarmDescription }) => {
      const heading = name.replace(/^crm-enrichment: /, '').replace(/ \(.*\)$/, '');
      const { loss } = ALARMS.find((alarm) => name === `crm-enrichment: ${titleOf(alarm)}`) ?? {};
      for (const part of [loss, `"${heading}"`, 'docs/operations/runbook.md'])
        expect(AlarmDescription).toContain(part);
      for (const sentence of String(loss).split(/(?<=[.]) /)) {
        expect(sentence).toMatch(/^[A-Za-z0-9].*\.$/);
        expect(sentence.split(' ').length).toBeLessThanOrEqual(25);
      }
      expect(sections.get(heading) ?? `(add "## ${heading}" to docs/operations/runbook.md)`).toMatch(
        /^1\. /m,
      );
    },
  );

  it('are what the list says', () => {
    const TREAT = { fine: 'notBreaching', 'as-before': 'ignore', silence: 'missing' } as const;
    expect(alarms).toHaveLength(ALARMS.length);
    for (const definition of ALARMS) {
      const { threshold, periodMinutes, periods, breaching, missing, comparison } = definition;
      const alarm = named(titleOf(definition));
      expect(alarm).toMatchObject({
        Threshold: threshold,
        Period: periodMinutes * 60,
        EvaluationPeriods: periods,
        TreatMissingData: TREAT[missing],
        ComparisonOperator: {
          'at-least': 'GreaterThanOrEqualToThreshold',
          'at-most': 'LessThanOrEqualToThreshold',
        }[comparison],
      });
      expect(alarm?.['DatapointsToAlarm']).toBe(breaching);
      // CloudWatch refuses more: a day, or a week where periods are an hour or longer.
      expect(periods * periodMinutes).toBeLessThanOrEqual(periodMinutes >= 60 ? 7 * 1_440 : 1_440);
    }
  });

  it('look at what AWS measures as AWS puts it together', () => {
    const statistics = Map.groupBy(
      alarms.filter(({ Namespace }) => Namespace !== 'CrmEnrichment'),
      ({ Namespace, MetricName, Statistic }) => `${Namespace} ${MetricName} ${Statistic}`,
    );
    expect([...statistics.keys()].sort()).toEqual([
      'AWS/ApiGateway 5xx Sum',
      'AWS/Lambda Errors Minimum',
      'AWS/Lambda Errors Sum',
      'AWS/SQS ApproximateAgeOfOldestMessage Maximum',
      'AWS/SQS ApproximateNumberOfMessagesVisible Maximum',
    ]);
  });

  it('tell the topic, which tells the address that is set', () => {
    const tells = (actions: unknown) => (JSON.stringify(actions) ?? '').includes('AlarmsTopic');
    expect(alarms.every(({ AlarmActions, OKActions }) => tells(AlarmActions) && tells(OKActions))).toBe(true);
    const ofSilence = ALARMS.filter(({ missing }) => missing === 'silence').map(titleOf);
    const telling = alarms.filter(({ InsufficientDataActions }) => tells(InsufficientDataActions));
    expect(telling.map(({ AlarmName }) => AlarmName)).toEqual(
      ofSilence.map((title) => `crm-enrichment: ${title}`),
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
    const known = new Map(Object.values(METRICS).map((metric) => [metric.name as string, metric]));
    for (const { MetricName, Dimensions, Statistic } of ours) {
      const metric = known.get(String(MetricName));
      const [...names] = metric?.dimensions ?? [];
      expect(Statistic).toBe(metric?.statistic);
      const told = Object(Dimensions) as readonly { Name: string; Value: string }[];
      expect(told.map(({ Name }) => Name).sort()).toEqual(['service', ...names].sort());
      expect(told).toContainEqual({ Name: 'service', Value: 'crm-enrichment' });
    }
  });

  it('name one series each', () => {
    expect(named('Dead letters (live)')).toMatchObject({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 1,
    });
    expect(named('Refused webhooks')).toMatchObject({
      MetricName: 'WebhookSignaturesRefused',
      Threshold: 3,
      Period: 21_600,
      EvaluationPeriods: 1,
    });
    expect(named('Refresh stopped')).toMatchObject({ MetricName: 'Errors', Statistic: 'Minimum' });
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
