import { describe, expect, it } from 'vitest';
import { resourceOf, resourcesOf, synthesised } from './synthesised.ts';

const template = synthesised();
const { Properties: stage, ...rest } = resourceOf(template, 'AWS::ApiGatewayV2::Stage', 'Stage');

describe('the stage', () => {
  it('limits each route for itself, so that requests to one route leave the share of the others (not played: request limits)', () => {
    const routes = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route'));
    const keys = routes.map(({ Properties }) => String(Properties['RouteKey']));
    expect(Object.keys(Object(stage['RouteSettings'])).sort()).toEqual(keys.sort());
    expect(stage).toMatchObject({
      StageName: '$default',
      DefaultRouteSettings: { ThrottlingRateLimit: 25, ThrottlingBurstLimit: 50 },
      RouteSettings: {
        'POST /hubspot': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
        'GET /hubspot/{proxy+}': { ThrottlingRateLimit: 25, ThrottlingBurstLimit: 50 },
        'POST /hubspot/{proxy+}': { ThrottlingRateLimit: 25, ThrottlingBurstLimit: 50 },
      },
    });
  });

  it('waits for its routes: API Gateway refuses the limit of a route that does not exist (not played: limits of missing routes)', () => {
    const { DependsOn } = Object(rest);
    expect(DependsOn).toEqual(
      expect.arrayContaining(Object.keys(resourcesOf(template, 'AWS::ApiGatewayV2::Route'))),
    );
  });

  it('writes to the access log of the data stack, under the name that it looks up', () => {
    const { DestinationArn } = Object(stage['AccessLogSettings']);
    expect(JSON.stringify(DestinationArn)).toMatch(/:log-group:",{"Ref":"AccessLog"}\]\]}$/);
  });

  it('logs lines that are JSON whatever the values: ids, numbers and words of fixed lists, in quotation marks', () => {
    const format = String(Object(stage['AccessLogSettings']).Format);
    // API Gateway documentation, "Customize HTTP API access logs": these are free text, or quoted already.
    expect(format).not.toMatch(/message|path|userAgent|identity|authorizer/i);
    const variables = format.match(/\$context\.[\w.]+/g) ?? [];
    expect(variables).toContain('$context.error.responseType');
    for (const value of ['-', '401', 'INTEGRATION_FAILURE']) {
      const line = format.replaceAll(/\$context\.[\w.]+/g, value);
      const { service, ...logged } = JSON.parse(line);
      expect(service).toBe('crm-enrichment');
      expect(Object.values(logged)).toEqual(variables.map(() => value));
    }
  });
});
