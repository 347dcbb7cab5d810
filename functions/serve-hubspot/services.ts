import type { ExecutionItems, RequestItems, ViewServices } from '#shared/enrichment';
import type { HomeItems } from '#shared/home';
import type { Clock, Logger } from '#shared/kernel';
import type { OwnPortal } from '#shared/records';
import type { Reviews } from '#shared/review';
import type { WorkQueue } from '#shared/work-queue';

export interface ServeServices extends ViewServices, Pick<RequestItems, 'requests'> {
  readonly executions: ExecutionItems;
  readonly reviews: Pick<Reviews, 'read' | 'readPreview'>;
  /** What the sweep stored for the home page. */
  readonly homes: Pick<HomeItems, 'read'>;
  /** People wait in the first one, workflows send into the other. */
  readonly queues: { readonly urgent: WorkQueue; readonly bulk: WorkQueue };
  readonly portal: Pick<OwnPortal, 'known'>;
  /** The app's client secret: HubSpot signs with it. */
  readonly clientSecret: () => Promise<string>;
  /** The webhook's target URL, under which the routes lie: the signatures are over it. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The part of an API Gateway HTTP API event (payload 2.0) that the routes need. */
export interface ServeEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** The route that matched, as the API has it: `GET /hubspot/{proxy+}`. */
  readonly routeKey?: string | undefined;
  /** `requestId` is the API's, and stands in its access log too. */
  readonly requestContext: {
    readonly http: { readonly method: string };
    readonly requestId?: string | undefined;
  };
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

export interface ServeResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
