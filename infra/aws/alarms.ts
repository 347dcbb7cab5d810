import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type AlarmDefinition, descriptionOf, titleOf } from './alarm-definition.ts';
import { ALARMS } from './alarm-list.ts';
import type { Functions } from './functions.ts';
import { ownMetric } from './metrics.ts';
import type { Queues } from './queues.ts';

export interface AlarmParts {
  /** The stack's name, which is a dimension of every metric. */
  readonly service: string;
  readonly functions: Functions;
  readonly queues: Queues;
  /** Id of the HTTP API in the data stack. */
  readonly apiId: string;
  readonly email: string | undefined;
}

/** Creates the alarms. Each alarm has the name of a runbook heading, and notifies the topic. */
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
