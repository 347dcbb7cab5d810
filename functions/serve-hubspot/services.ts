import type { HomeItems } from '#shared/home';
import type { Clock, Logger } from '#shared/kernel';
import type { BreakerState } from '#shared/questions';
import type { OwnPortal } from '#shared/records';
import type { RequestItems, ViewServices, WishSchema } from '#shared/requests';
import type { Reviews } from '#shared/review';
import type { WorkQueue } from '#shared/work-queue';

export interface ServeServices extends ViewServices {
  readonly requests: RequestItems;
  /** Schemas of the requests that the extensions carry out, by the page that sends them. */
  readonly wishSchemas: Readonly<Record<'card' | 'home', readonly WishSchema[]>>;
  readonly reviews: Pick<Reviews, 'read' | 'readPreview'>;
  /** Tells whether a person has stopped spending. */
  readonly breakers: { read(): Promise<Pick<BreakerState, 'stopped'>> };
  /** The content of the home page, which the sweep stores. */
  readonly homes: Pick<HomeItems, 'read'>;
  /** `urgent` receives people's requests, and `bulk` receives executions of workflows. */
  readonly queues: { readonly urgent: WorkQueue; readonly bulk: WorkQueue };
  readonly portal: Pick<OwnPortal, 'known'>;
  /** The app's client secret, with which HubSpot signs. */
  readonly clientSecret: () => Promise<string>;
  /** The webhook's target URL. The routes are under this URL, and signatures include it. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}
