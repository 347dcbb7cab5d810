import { RemovalPolicy } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { WEBHOOK_PATH } from './names.ts';
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
    this.apiId = httpApi.apiId;
    this.accessLogName = logGroup.logGroupName;
    this.webhookUrl = `${httpApi.apiEndpoint}${WEBHOOK_PATH}`;
  }
}
