/** The part of an API Gateway HTTP API event (payload 2.0) that the functions read. */
export interface GatewayEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** The route that matched, in API Gateway's spelling: `GET /hubspot/{proxy+}`. */
  readonly routeKey?: string | undefined;
  /** `requestId` also appears in API Gateway's access log. */
  readonly requestContext: {
    readonly http: { readonly method: string };
    readonly requestId?: string | undefined;
  };
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

export interface GatewayResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
