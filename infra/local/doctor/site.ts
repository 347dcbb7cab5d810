import type { AlarmSubscriptions } from '#shared/alerts/adapters';
import type { App } from '#shared/app';
import type { Policy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import type { Clock } from '#shared/kernel';
import type { LaneQueues } from '#shared/work-queue';
import type { RefusedDeliveries } from '../spoken-events.ts';

/** The HubSpot app of the access token. Its id separates our writes from those of other apps. */
export interface OwnApp {
  /** The id that HubSpot returned. */
  readonly returnedId?: string | undefined;
  /** The id that the settings name. */
  readonly settingId?: string | undefined;
  /** Why HubSpot returned no id. */
  readonly problem?: string | undefined;
}

/** An installation that can be checked before it starts. */
export interface Site {
  readonly services: App;
  readonly policy: Policy;
  /** Whether the books belong to a deployed stack. */
  readonly isStack: boolean;
  /** The deployed stack; absent on a laptop. */
  readonly stack?: { readonly name: string; readonly region: string } | undefined;
  readonly dataService: { readonly baseUrl: string };
  readonly hubSpot: { readonly baseUrl: string; readonly accessToken: string };
  readonly clock: Clock;
  /** Sends one request, like the clients do. */
  readonly send: Send;
  /** Reads the app of the access token. Only the first call sends a request to HubSpot. */
  readonly ownApp: () => Promise<OwnApp>;
}

/** A site with its queues and its webhook address. */
export interface WholeSite extends Site {
  /** The data folder, or the name of the stack. */
  readonly path: string;
  readonly queues: LaneQueues;
  /** Whether a worker runs. Without a worker, queued messages wait for the next start. */
  readonly hasWorkers: boolean;
  readonly webhook: Webhook;
  /** Reads the subscriptions of the stack's alarm topic. Absent on a laptop, which has no alarms. */
  readonly alarmSubscriptions?: (() => Promise<AlarmSubscriptions>) | undefined;
}

export interface Webhook {
  /** Address for HubSpot's deliveries. Absent if no server listens. */
  readonly publicUrl?: string | undefined;
  /** The app's client secret. */
  readonly clientSecret: string;
  /** Deliveries refused since the last accepted one. Absent for a stack, which counts them in a metric. */
  readonly refused?: RefusedDeliveries | undefined;
}
