import { Duration } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { WEBHOOK_PATH, WEBHOOK_ROUTE } from './names.ts';
import { pinned } from './pinned.ts';
import { PublicStage, type RequestLimit } from './stage.ts';

/** Limit for webhooks. HubSpot sends batches of up to 100 events, so it never needs more requests a second. */
const WEBHOOKS: RequestLimit = { rateLimit: 50, burstLimit: 100 };
/** Limit for people who open records and for workflows that run actions. HubSpot retries an action after a 429. */
const SHOWN: RequestLimit = { rateLimit: 25, burstLimit: 50 };

interface RouteParts {
  readonly apiId: string;
  readonly accessLogName: string;
  readonly stackName: string;
  readonly receiver: IFunction;
  readonly server: IFunction;
}

/** Creates all routes, on the API of the data stack. */
export class Routes extends Construct {
  constructor(scope: Construct, { apiId, receiver, server, ...stage }: RouteParts) {
    super(scope, 'Routes');
    const httpApi = HttpApi.fromHttpApiAttributes(this, 'Http', { httpApiId: apiId });
    const webhooks = new HttpRoute(this, 'Webhooks', {
      httpApi,
      routeKey: HttpRouteKey.with(WEBHOOK_PATH, HttpMethod.POST),
      integration: new HttpLambdaIntegration('Webhooks', receiver, { timeout: Duration.seconds(10) }),
    });
    // A fixed logical id, because an API can have only one route of a key.
    pinned(webhooks, 'WebhookRoute');
    const integration = new HttpLambdaIntegration('Shown', server, { timeout: Duration.seconds(15) });
    const shown = [HttpMethod.GET, HttpMethod.POST].map((method) => {
      const routeKey = HttpRouteKey.with(`${WEBHOOK_PATH}/{proxy+}`, method);
      const route = new HttpRoute(this, `Shown${method}`, { httpApi, routeKey, integration });
      return [routeKey.key, { route: pinned(route, `ShownRoute${method}`), limit: SHOWN }] as const;
    });
    const routes = { [WEBHOOK_ROUTE]: { route: webhooks, limit: WEBHOOKS }, ...Object.fromEntries(shown) };
    new PublicStage(this, { ...stage, httpApi, limit: SHOWN, routes });
  }
}
