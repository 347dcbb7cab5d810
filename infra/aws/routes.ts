import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpApi,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { SERVICE_DIMENSION } from '#shared/metrics';
import { WEBHOOK_PATH, WEBHOOK_ROUTE } from './names.ts';
import { pinned } from './stack-parts.ts';

/** Limit for webhooks. HubSpot sends batches of up to 100 events, so it never needs more requests a second. */
const WEBHOOKS: RequestLimit = { rateLimit: 50, burstLimit: 100 };
/** Limit for people who open records and for workflows that run actions. HubSpot retries an action after a 429. */
const SHOWN: RequestLimit = { rateLimit: 25, burstLimit: 50 };

export class Routes extends Construct {
  constructor(
    scope: Construct,
    {
      apiId,
      receiver,
      server,
      ...stage
    }: { apiId: string; accessLogName: string; stackName: string; receiver: IFunction; server: IFunction },
  ) {
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

/** Maximum number of requests a second, and in a burst. */
interface RequestLimit {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/**
 * One log line for each request, without its body, headers or sender. It has only numbers, ids and words of fixed
 * lists. API Gateway does not escape values, so a quotation mark in a message would break the JSON. `error` is API
 * Gateway's own error type (`THROTTLED`, `INTEGRATION_FAILURE`, ...), `integrationStatus` is Lambda's, and `-` means
 * absent. The function's log has the reason for a refusal, under the same `requestId`.
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

interface StageParts {
  /** The API of the data stack, without routes. */
  readonly httpApi: IHttpApi;
  readonly accessLogName: string;
  readonly stackName: string;
  /** Limit for routes without their own limit. */
  readonly limit: RequestLimit;
  /** By route key. */
  readonly routes: Readonly<Record<string, { readonly route: HttpRoute; readonly limit: RequestLimit }>>;
}

/**
 * Serves the routes. Its name is `$default`, so that the path is exactly the path that HubSpot signs. Each route has
 * its own limit, so that requests of strangers to one route cannot use up the limit of another. The stage is created
 * with the routes, because API Gateway refuses the limit of a route that does not exist yet.
 */
class PublicStage extends Construct {
  constructor(scope: Construct, { httpApi, accessLogName, stackName, limit: throttle, routes }: StageParts) {
    super(scope, 'Stage');
    const destinationArn = Stack.of(this).formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: accessLogName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const stage = new HttpStage(this, 'Default', {
      httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle,
      accessLogSettings: {
        destination: { bind: () => ({ destinationArn }) },
        format: AccessLogFormat.custom(JSON.stringify({ [SERVICE_DIMENSION]: stackName, ...ACCESS_LOG })),
      },
    });
    const resource = stage.node.defaultChild;
    if (!(resource instanceof CfnStage)) throw new Error('A stage is a resource.');
    resource.routeSettings = Object.fromEntries(
      Object.entries(routes).map(([key, { limit }]) => [
        key,
        { ThrottlingRateLimit: limit.rateLimit, ThrottlingBurstLimit: limit.burstLimit },
      ]),
    );
    stage.node.addDependency(...Object.values(routes).map(({ route }) => route));
    // A fixed logical id, because an API can have only one stage of a name.
    pinned(stage, 'Stage');
  }
}
