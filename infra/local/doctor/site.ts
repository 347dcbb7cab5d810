import type { AlarmSubscriptions } from '#shared/alerts/adapters';
import type { Services } from '#shared/composition/adapters';
import type { Policy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import type { LocalQueues } from '../queues.ts';
import type { RefusedDeliveries } from '../spoken-events.ts';

/** What is known of the HubSpot app that the access token belongs to. Its id tells our writes from those of other apps. */
export interface OwnApp {
  /** The id that HubSpot returned. */
  readonly told?: string | undefined;
  /** The id that the settings name. */
  readonly setting?: string | undefined;
  /** Why HubSpot returned none. */
  readonly untold?: string | undefined;
}

/** An installation, as far as it can be looked at before it works. */
export interface Site {
  readonly services: Services;
  readonly policy: Policy;
  /** Whether these are the books of a deployed stack, which others spend from too. */
  readonly isStack: boolean;
  /** The deployed stack; absent on a laptop. */
  readonly stack?: { readonly name: string; readonly region: string } | undefined;
  readonly dataService: { readonly baseUrl: string };
  readonly hubSpot: { readonly baseUrl: string; readonly accessToken: string };
  /** One request, as the clients send theirs. */
  readonly send: Send;
  /** The app that the access token belongs to; HubSpot is asked once. */
  readonly ownApp: () => Promise<OwnApp>;
}

/** The same with what works there. */
export interface WholeSite extends Site {
  /** Where the books are: a folder, or the name of a stack. */
  readonly path: string;
  readonly queues: LocalQueues;
  /** Whether a worker takes queued messages; otherwise they wait for the next start. */
  readonly hasWorkers: boolean;
  readonly webhook: Webhook;
  /** Of the stack's alarm topic; absent on a laptop, which has no alarms. */
  readonly alarmSubscriptions?: (() => Promise<AlarmSubscriptions>) | undefined;
}

export interface Webhook {
  /** Where HubSpot delivers; absent where nothing listens. */
  readonly publicUrl?: string | undefined;
  /** The app's client secret. */
  readonly clientSecret: string;
  /** Deliveries that were refused since the last one that was taken; a stack counts them as a metric. */
  readonly refused?: RefusedDeliveries | undefined;
}
