import { Duration } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { WEBHOOK_PATH } from './names.ts';
import { pinned } from './pinned.ts';

/** The only routes there are, on the API of the data stack. */
export class Routes extends Construct {
  constructor(
    scope: Construct,
    {
      apiId,
      receiver,
      server,
    }: { readonly apiId: string; readonly receiver: IFunction; readonly server: IFunction },
  ) {
    super(scope, 'Routes');
    const httpApi = HttpApi.fromHttpApiAttributes(this, 'Http', { httpApiId: apiId });
    const route = new HttpRoute(this, 'Webhooks', {
      httpApi,
      routeKey: HttpRouteKey.with(WEBHOOK_PATH, HttpMethod.POST),
      integration: new HttpLambdaIntegration('Webhooks', receiver, { timeout: Duration.seconds(10) }),
    });
    // An API has a route of one key once.
    pinned(route, 'WebhookRoute');
    const integration = new HttpLambdaIntegration('Shown', server, { timeout: Duration.seconds(15) });
    for (const method of [HttpMethod.GET, HttpMethod.POST]) {
      const routeKey = HttpRouteKey.with(`${WEBHOOK_PATH}/{proxy+}`, method);
      pinned(
        new HttpRoute(this, `Shown${method}`, { httpApi, routeKey, integration }),
        `ShownRoute${method}`,
      );
    }
  }
}
