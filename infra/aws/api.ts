import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { FilterPattern, LogGroup, MetricFilter, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRICS, METRICS_NAMESPACE, SERVICE_DIMENSION } from '#shared/metrics';
import { WEBHOOK_PATH } from './names.ts';
import { pinned } from './pinned.ts';

/** HubSpot sends batches of up to a hundred events; more than this many requests a second are not HubSpot's. */
const THROTTLE = { rateLimit: 50, burstLimit: 100 };

/**
 * What a request was and how it ended; nothing of its body, headers or sender. Only numbers, ids and words of fixed
 * lists: API Gateway puts a value in as it is, so a message with a quotation mark would make the line no JSON.
 * `error` is the kind of its own answer (`THROTTLED`, `INTEGRATION_FAILURE`, ...), `integrationStatus` Lambda's, and
 * `-` stands for what there is not.
 */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  responseBytes: '$context.responseLength',
  error: '$context.error.responseType',
  integrationStatus: '$context.integrationStatus',
};

interface ApiSettings {
  /** The installation's, which every metric carries. */
  readonly stackName: string;
  readonly logRetentionDays: RetentionDays;
}

/**
 * The public address, without a route: those come and go with the functions. Its stage is `$default`, so that the
 * path that HubSpot signs is the path as it stands. Who may send is decided by the signature, in the function.
 */
export class Api extends Construct {
  readonly apiId: string;
  /** The address of the webhook route on the API's own domain. */
  readonly webhookUrl: string;

  constructor(scope: Construct, { stackName, logRetentionDays }: ApiSettings) {
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
    const stage = new HttpStage(this, 'Stage', {
      httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(JSON.stringify({ [SERVICE_DIMENSION]: stackName, ...ACCESS_LOG })),
      },
    });
    pinned(stage, 'Stage');
    countThrottled(this, logGroup);
    this.apiId = httpApi.apiId;
    this.webhookUrl = `${httpApi.apiEndpoint}${WEBHOOK_PATH}`;
  }
}

/**
 * Counts the requests that the API throttled. API Gateway's own count of 4xx includes wrong addresses. The limit is the
 * stage's, so a throttled request may be HubSpot's.
 */
function countThrottled(scope: Construct, logGroup: LogGroup): void {
  const filter = new MetricFilter(scope, 'Throttled', {
    logGroup,
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    metricNamespace: METRICS_NAMESPACE,
    metricName: METRICS.webhooksThrottled.name,
    metricValue: '1',
    dimensions: { [SERVICE_DIMENSION]: `$.${SERVICE_DIMENSION}` },
  });
  pinned(filter, 'Throttled');
}
