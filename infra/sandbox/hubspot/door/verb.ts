import type { Script } from '../extensions/script.ts';
import type { ObjectTypeId } from '../objects/object-types.ts';
import type { Portal } from '../portal.ts';
import type { DeliveryReport, Send } from '../webhooks/webhook-sender.ts';

export interface SandboxActions {
  readonly reset: () => void;
  readonly deliver: () => Promise<DeliveryReport>;
  /** Sends requests to the app. */
  readonly send: Send;
  readonly script: Script | undefined;
  readonly samples: Samples | undefined;
}

/** Sample properties of people or companies. */
export type Samples = (typeId: ObjectTypeId) => Promise<readonly Readonly<Record<string, string>>[]>;

/** A request to a verb that HubSpot does not have. */
export interface Verb {
  readonly portal: Portal;
  readonly actions: SandboxActions;
  readonly query: URLSearchParams;
  readonly body: unknown;
}
