import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

const WEBHOOK_PATH = '/hubspot';

/** HubSpot sends batches of up to a hundred events; more than this many requests a second are not HubSpot's. */
const THROTTLE = { rateLimit: 50, burstLimit: 100 };

/** What a request was and how it ended; nothing of its body, headers or sender. */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  responseBytes: '$context.responseLength',
  error: '$context.error.messageString',
  integrationError: '$context.integrationErrorMessage',
};

/**
 * The public address. Its stage is `$default`, so that the path that HubSpot signs is the path as it stands.
 * Who may send is decided by the signature, in the function.
 */
export class Api extends Construct {
  readonly httpApi: HttpApi;
  /** The address of the webhook route on the API's own domain. */
  readonly webhookUrl: string;

  constructor(scope: Construct, { logRetentionDays }: { readonly logRetentionDays: RetentionDays }) {
    super(scope, 'Api');
    this.httpApi = new HttpApi(this, 'Http', {
      createDefaultStage: false,
      description: 'Takes the webhooks of HubSpot.',
    });
    const logGroup = new LogGroup(this, 'AccessLogs', {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    this.webhookUrl = `${this.httpApi.apiEndpoint}${WEBHOOK_PATH}`;
  }

  /** The only route there is. */
  routeWebhooksTo(receiver: IFunction): void {
    this.httpApi.addRoutes({
      path: WEBHOOK_PATH,
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('Webhooks', receiver, { timeout: Duration.seconds(10) }),
    });
  }
}
