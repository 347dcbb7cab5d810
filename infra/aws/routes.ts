import { Duration } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { WEBHOOK_PATH } from './names.ts';
import { pinned } from './pinned.ts';

/** The only route there is, on the API of the data stack. */
export class Routes extends Construct {
  constructor(
    scope: Construct,
    { apiId, receiver }: { readonly apiId: string; readonly receiver: IFunction },
  ) {
    super(scope, 'Routes');
    const route = new HttpRoute(this, 'Webhooks', {
      httpApi: HttpApi.fromHttpApiAttributes(this, 'Http', { httpApiId: apiId }),
      routeKey: HttpRouteKey.with(WEBHOOK_PATH, HttpMethod.POST),
      integration: new HttpLambdaIntegration('Webhooks', receiver, { timeout: Duration.seconds(10) }),
    });
    // An API has a route of one key once.
    pinned(route, 'WebhookRoute');
  }
}
