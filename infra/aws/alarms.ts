import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { ALARMS, type AlarmDefinition } from './alarm-list.ts';
import type { Functions } from './functions.ts';
import { ownMetric } from './metrics.ts';
import type { Queues } from './queues.ts';

export interface AlarmParts {
  /** The stack's name, which every metric carries. */
  readonly service: string;
  readonly functions: Functions;
  readonly queues: Queues;
  readonly email: string | undefined;
}

/** Each alarm has the name of a heading of `infra/RUNBOOK.md`, and tells the topic. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, services: AlarmParts) {
    super(scope, 'Alarms');
    this.topic = new Topic(this, 'Topic', { displayName: services.service, enforceSSL: true });
    letAlarmsPublish(this.topic);
    if (services.email !== undefined) this.topic.addSubscription(new EmailSubscription(services.email));
    this.alarms = ALARMS.map((definition) => createAlarm(this, services, definition));
    for (const alarm of this.alarms) alarm.addAlarmAction(new SnsAction(this.topic));
  }
}

/**
 * A topic without a policy lets its account's alarms publish. This one has a policy, against requests without TLS,
 * which takes the place of that: so it has to say who may.
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
  const { heading, of, comparison, threshold, periods, missingIsBad } = definition;
  const title = of === undefined ? heading : `${heading} (${of})`;
  return new Alarm(scope, title.replaceAll(/[^A-Za-z]/g, ''), {
    alarmName: `${services.service}: ${title}`,
    alarmDescription: `See "${heading}" in infra/RUNBOOK.md.`,
    metric: metricOf(services, definition),
    threshold,
    evaluationPeriods: periods,
    comparisonOperator:
      comparison === 'at-least'
        ? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        : ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: missingIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}

function metricOf(services: AlarmParts, { source, periodMinutes }: AlarmDefinition): IMetric {
  const { service, functions, queues } = services;
  const period = Duration.minutes(periodMinutes);
  switch (source.kind) {
    case 'own':
      return ownMetric(service, source.metric, periodMinutes);
    case 'dead-letters':
      return queues.lanes[source.lane].deadLetters.metricApproximateNumberOfMessagesVisible({ period });
    case 'oldest-message':
      return queues.lanes[source.lane].queue.metricApproximateAgeOfOldestMessage({ period });
    case 'errors':
      return functions.byName[source.of].metricErrors({ period });
    case 'invocations':
      return functions.byName[source.of].metricInvocations({ period });
  }
}
