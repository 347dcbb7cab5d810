import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  CustomWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { LANES } from '#shared/crm';
import { METRICS, METRICS_NAMESPACE, type MetricId, SERVICE_DIMENSION } from '#shared/metrics';
import { ALARMS, type AlarmDefinition, descriptionOf, titleOf } from './alarm-list.ts';
import type { Functions } from './functions.ts';
import { FUNCTIONS } from './names.ts';
import type { Queues } from './queues.ts';

interface AlarmParts {
  readonly service: string;
  readonly functions: Functions;
  readonly queues: Queues;
  /** Id of the HTTP API in the data stack. */
  readonly apiId: string;
  readonly email: string | undefined;
}

export class Alarms extends Construct {
  readonly topic: Topic;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, services: AlarmParts) {
    super(scope, 'Alarms');
    this.topic = new Topic(this, 'Topic', { displayName: services.service, enforceSSL: true });
    letAlarmsPublish(this.topic);
    if (services.email !== undefined) this.topic.addSubscription(new EmailSubscription(services.email));
    const tell = new SnsAction(this.topic);
    this.alarms = ALARMS.map((definition) => {
      const alarm = createAlarm(this, services, definition);
      alarm.addAlarmAction(tell);
      alarm.addOkAction(tell);
      if (definition.missing === 'silence') alarm.addInsufficientDataAction(tell);
      return alarm;
    });
  }
}

/**
 * Allows the account's alarms to publish. A topic without a policy allows this by default. This topic has a policy that
 * requires TLS, which replaces the default.
 */
function letAlarmsPublish(topic: Topic): void {
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsMayPublish',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
}

function createAlarm(scope: Construct, services: AlarmParts, definition: AlarmDefinition): Alarm {
  const { comparison, threshold, periods, breaching, missing } = definition;
  const title = titleOf(definition);
  return new Alarm(scope, title.replaceAll(/[^A-Za-z]/g, ''), {
    alarmName: `${services.service}: ${title}`,
    alarmDescription: descriptionOf(definition),
    metric: metricOf(services, definition),
    threshold,
    evaluationPeriods: periods,
    ...(breaching !== undefined && { datapointsToAlarm: breaching }),
    comparisonOperator:
      comparison === 'at-least'
        ? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        : ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: MISSING[missing],
  });
}

const MISSING: Readonly<Record<AlarmDefinition['missing'], TreatMissingData>> = {
  fine: TreatMissingData.NOT_BREACHING,
  'as-before': TreatMissingData.IGNORE,
  silence: TreatMissingData.MISSING,
};

function metricOf(services: AlarmParts, { source, periodMinutes }: AlarmDefinition): IMetric {
  const { service, functions, queues, apiId } = services;
  const period = Duration.minutes(periodMinutes);
  switch (source.kind) {
    case 'own':
      return ownMetric(service, source.metric, { periodMinutes, dimensions: source.dimensions });
    case 'dead-letters':
      return queues.lanes[source.lane].deadLetters.metricApproximateNumberOfMessagesVisible({ period });
    case 'oldest-message':
      return queues.lanes[source.lane].queue.metricApproximateAgeOfOldestMessage({ period });
    case 'errors':
      return functions.byName[source.of].metricErrors({ period });
    case 'every-run-fails':
      return functions.byName[source.of].metricErrors({ period, statistic: 'Minimum' });
    case 'api-failures':
      return new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: '5xx',
        dimensionsMap: { ApiId: apiId },
        period,
        statistic: 'Sum',
      });
  }
}

/**
 * One series of our metrics, selected by the stack's name and the metric's own dimensions. It has no label, because
 * CloudWatch turns an alarm on a labelled metric into metric math, which stand-ins for AWS refuse.
 */
function ownMetric(
  service: string,
  id: MetricId,
  {
    periodMinutes,
    dimensions,
  }: {
    periodMinutes: number;
    dimensions?: Readonly<Record<string, string>> | undefined;
  },
): Metric {
  const { name, statistic } = METRICS[id];
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: name,
    dimensionsMap: { [SERVICE_DIMENSION]: service, ...dimensions },
    statistic,
    period: Duration.minutes(periodMinutes),
  });
}

/**
 * All series of one of our metrics, for any number of dimension values. Alarms cannot use it, because they refuse a
 * search. In the search, values have quotation marks and names do not: CloudWatch documentation, "Search expression
 * syntax".
 */
function ownSeries(service: string, id: MetricId, periodMinutes: number): MathExpression {
  const { name, dimensions, statistic } = METRICS[id];
  const schema = [METRICS_NAMESPACE, SERVICE_DIMENSION, ...dimensions].join(',');
  const search = `{${schema}} MetricName="${name}" ${SERVICE_DIMENSION}="${service}"`;
  return new MathExpression({
    expression: `SEARCH('${search}', '${statistic}', ${periodMinutes * 60})`,
    usingMetrics: {},
    label: '',
    period: Duration.minutes(periodMinutes),
  });
}

const HOUR = 60;
const FIVE_MINUTES = 5;

interface OwnGraph {
  readonly title: string;
  readonly metrics: readonly MetricId[];
  readonly periodMinutes: number;
  /** Whether it shows one line for each value of the metric's dimensions. */
  readonly isSplit?: boolean;
}

/** Graphs of our own metrics by row: credits, work, vendors, webhooks. */
const OWN_GRAPHS: readonly (readonly OwnGraph[])[] = [
  [
    {
      title: 'Credits by operation and purpose, an hour',
      metrics: ['creditsSpent'],
      periodMinutes: HOUR,
      isSplit: true,
    },
    { title: 'Credits left, by budget', metrics: ['budgetLeft'], periodMinutes: HOUR, isSplit: true },
    { title: 'Credit balance', metrics: ['creditBalance'], periodMinutes: HOUR },
    { title: 'Budget used most, percent', metrics: ['budgetUsed'], periodMinutes: FIVE_MINUTES },
  ],
  [
    { title: 'Outcomes, an hour', metrics: ['outcomes'], periodMinutes: HOUR, isSplit: true },
    { title: 'Answers from the store, an hour', metrics: ['cacheHits'], periodMinutes: HOUR, isSplit: true },
    {
      title: 'Doubts, and records that wait',
      metrics: ['doubtsOpen', 'recordsWaiting'],
      periodMinutes: FIVE_MINUTES,
    },
    {
      title: 'Age of the oldest waiting lead, and time since the last purchase, ms',
      metrics: ['oldestLead', 'nothingBought'],
      periodMinutes: FIVE_MINUTES,
    },
    { title: 'Longest wait of a record, ms', metrics: ['oldestWaiting'], periodMinutes: HOUR },
    {
      title: 'Must be zero',
      metrics: ['checksFailed', 'messagesFailed', 'keysMissing', 'nothingEnriched'],
      periodMinutes: FIVE_MINUTES,
    },
  ],
  [
    {
      title: 'Vendor: share of the rate used',
      metrics: ['vendorRateUsed'],
      periodMinutes: FIVE_MINUTES,
    },
    { title: 'Vendor: requests', metrics: ['vendorRequests'], periodMinutes: FIVE_MINUTES },
    { title: 'Stops', metrics: ['purchasesStopped', 'spendingStopped'], periodMinutes: FIVE_MINUTES },
    {
      title: "HubSpot: share of the day's calls left, percent",
      metrics: ['hubSpotDailyLeft'],
      periodMinutes: HOUR,
    },
    {
      title: 'HubSpot: failures and refusals',
      metrics: ['hubSpotUnavailable', 'hubSpotWritesStopped', 'otherInstallation', 'noticesLate'],
      periodMinutes: HOUR,
    },
  ],
  [
    { title: 'Webhooks: latency, ms', metrics: ['webhookLatency'], periodMinutes: FIVE_MINUTES },
    {
      title: 'Webhooks: events, records, refusals',
      metrics: [
        'webhookEventsReceived',
        'webhookRecordsQueued',
        'webhookSignaturesRefused',
        'webhookBodiesRefused',
        'privacyDeletionsMissed',
        'recordsUnreported',
      ],
      periodMinutes: FIVE_MINUTES,
    },
  ],
];

/** Shows spend and budgets first, then the enrichment, then the services that it depends on. */
export class SpendDashboard extends Construct {
  readonly name: string;

  constructor(
    scope: Construct,
    {
      service,
      functions,
      queues,
      alarms,
    }: { service: string; functions: Functions; queues: Queues; alarms: Alarms },
  ) {
    super(scope, 'Dashboard');
    this.name = `${service}-credit-spend`;
    const period = Duration.minutes(FIVE_MINUTES);
    const ages = LANES.map((lane) =>
      queues.lanes[lane].queue.metricApproximateAgeOfOldestMessage({ period, label: lane }),
    );
    const errors = FUNCTIONS.map((name) => functions.byName[name].metricErrors({ period, label: name }));
    new Dashboard(this, 'Spend', {
      dashboardName: this.name,
      defaultInterval: Duration.days(7),
      widgets: [
        [
          // `report-spend` renders the page inside the console, for users who are allowed to invoke it.
          new CustomWidget({
            title: 'Credit spend',
            functionArn: functions.live['report-spend'].functionArn,
            width: 16,
            height: 14,
            updateOnRefresh: true,
            // The page does not depend on the widget's size or time range.
            updateOnResize: false,
            updateOnTimeRangeChange: false,
          }),
          new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.alarms], width: 8, height: 14 }),
        ],
        ...OWN_GRAPHS.map((row) =>
          row.map((each) =>
            graph(
              each.title,
              each.metrics.map((id) =>
                each.isSplit
                  ? ownSeries(service, id, each.periodMinutes)
                  : ownMetric(service, id, { periodMinutes: each.periodMinutes }),
              ),
            ),
          ),
        ),
        [graph('Age of the oldest message, seconds', ages), graph('Function errors', errors)],
      ],
    });
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 6, height: 6, leftYAxis: { min: 0 } });
}
