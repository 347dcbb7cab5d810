import { Aws } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

export interface ScheduleParts {
  readonly reconcile: IFunction;
  readonly refreshStale: IFunction;
  readonly reconcileSchedule: string;
  readonly refreshSchedule: string;
  /** IANA name, for cron schedules. */
  readonly timeZone: string;
}

/**
 * Runs `reconcile` and `refresh-stale` regularly. A run that Scheduler could not start is not repeated later, because
 * the next run does its work too. The alarm "Sweep stopped" reports missing runs. A missed run loses nothing, so
 * there is no dead-letter queue. The library's schedule target is not used, because it would grant access to more
 * than the alias.
 */
export class Schedules extends Construct {
  constructor(scope: Construct, services: ScheduleParts) {
    super(scope, 'Schedules');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    });
    const targets = [
      { id: 'Reconcile', target: services.reconcile, expression: services.reconcileSchedule },
      { id: 'RefreshStale', target: services.refreshStale, expression: services.refreshSchedule },
    ];
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: targets.map(({ target }) => target.functionArn),
      }),
    );
    for (const { id, target, expression } of targets) {
      const schedule = new CfnSchedule(this, id, {
        scheduleExpression: expression,
        scheduleExpressionTimezone: services.timeZone,
        flexibleTimeWindow: { mode: 'OFF' },
        target: {
          arn: target.functionArn,
          roleArn: role.roleArn,
          input: JSON.stringify({ schedule: id }),
          // The shortest age that Scheduler accepts. After that, the next run is near.
          retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 60 },
        },
      });
      schedule.node.addDependency(role);
    }
  }
}
