import { RemovalPolicy } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { FilterPattern, LogGroup, MetricFilter, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRICS, METRICS_NAMESPACE, SERVICE_DIMENSION } from '#shared/metrics';
import { WEBHOOK_PATH, WEBHOOK_ROUTE } from './names.ts';
import { pinned } from './pinned.ts';

interface ApiSettings {
  readonly logRetentionDays: RetentionDays;
}

/**
 * The public address and its access log. The stage and the routes are created with the functions. The functions check
 * each sender's signature.
 */
export class Api extends Construct {
  readonly apiId: string;
  readonly accessLogName: string;
  /** The address of the webhook route on the API's own domain. */
  readonly webhookUrl: string;

  constructor(scope: Construct, { logRetentionDays }: ApiSettings) {
    super(scope, 'Api');
    const description = 'Takes the webhooks of HubSpot.';
    const httpApi = pinned(new HttpApi(this, 'Http', { createDefaultStage: false, description }), 'Api');
    const logGroup = pinned(
      new LogGroup(this, 'AccessLogs', {
        retention: logRetentionDays,
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      }),
      'AccessLogs',
    );
    countThrottled(this, logGroup);
    this.apiId = httpApi.apiId;
    this.accessLogName = logGroup.logGroupName;
    this.webhookUrl = `${httpApi.apiEndpoint}${WEBHOOK_PATH}`;
  }
}

/**
 * Counts the webhooks that the API throttled. API Gateway's own count of 4xx includes wrong addresses, and the other
 * routes have their own limits. All senders share the route's limit, so a throttled request can be HubSpot's.
 */
function countThrottled(scope: Construct, logGroup: LogGroup): void {
  const filter = new MetricFilter(scope, 'Throttled', {
    logGroup,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '429'),
      FilterPattern.stringValue('$.route', '=', WEBHOOK_ROUTE),
    ),
    metricNamespace: METRICS_NAMESPACE,
    metricName: METRICS.webhooksThrottled.name,
    metricValue: '1',
    dimensions: { [SERVICE_DIMENSION]: `$.${SERVICE_DIMENSION}` },
  });
  pinned(filter, 'Throttled');
}
