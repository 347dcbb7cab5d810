import { systemRandom } from '../../../shared/kernel/adapters.ts';
import type { Clock, Random } from '../../../shared/kernel/index.ts';
import { createFrontDoor } from './door/front-door.ts';
import type { Samples } from './door/verb.ts';
import type { Script } from './extensions/script.ts';
import type { Portal } from './portal.ts';
import { DEFAULT_SETTINGS, mergeSettings, type SandboxSettings } from './settings.ts';
import { initialState, isPortalState, type PortalState } from './state.ts';
import { createWebhookSender, type DeliveryReport, type Send } from './webhooks/webhook-sender.ts';

export { DEFAULT_SETTINGS, type SandboxSettings } from './settings.ts';
export type { DeliveryReport, Send } from './webhooks/webhook-sender.ts';

export interface HubSpotSandboxOptions {
  readonly clock: Clock;
  /** Where ids, retry delays, duplicates and faults come from; a seeded one makes a run repeatable. */
  readonly random?: Random;
  /** Over the defaults, and over the settings inside `saved`. `POST /_sandbox/reset` comes back to them. */
  readonly settings?: Partial<SandboxSettings>;
  /** What `state()` gave earlier, also after a trip through JSON. Anything else is an error. */
  readonly saved?: unknown;
  /** How webhooks leave; the global `fetch` unless told. */
  readonly send?: Send;
  /** The app's card for the pages of records, `/screen/contacts/123`; without it there is none. */
  readonly script?: Script;
  /** What the page to create a record suggests. */
  readonly samples?: Samples;
}

export interface HubSpotSandbox {
  /**
   * Answers one request as HubSpot would, errors included.
   * @throws ConnectionReset when a `reset-before` or `reset-after` fault strikes.
   */
  handle(request: Request): Promise<Response>;
  /** Everything, undelivered webhooks included, as plain JSON values: a copy. */
  state(): unknown;
  /** Sends every webhook event that is due now; does nothing while `webhookUrl` is not set. */
  deliverWebhooks(): Promise<DeliveryReport>;
  /** Delivers continuously, `webhookDelayMs` after an event, until the signal is aborted; then resolves. */
  startWebhooks(signal: AbortSignal): Promise<void>;
}

/** A HubSpot account with contacts and companies and one installed app, in memory. */
export function createHubSpotSandbox(options: HubSpotSandboxOptions): HubSpotSandbox {
  const { clock, random = systemRandom, script, samples } = options;
  const given = mergeSettings(DEFAULT_SETTINGS, options.settings ?? {});
  const freshState = () => initialState(given);
  const state = options.saved === undefined ? freshState() : restore(options);
  const portal: Portal = { state, clock, random, wake: Promise.withResolvers() };
  const send = options.send ?? ((request) => fetch(request));
  const sender = createWebhookSender(portal, send);
  const reset = () => {
    // Keys go on, so that what a delivery under way brings back is not taken for a new event.
    portal.state = { ...freshState(), nextEventKey: portal.state.nextEventKey };
  };
  return {
    handle: createFrontDoor(portal, { reset, deliver: sender.deliver, send, script, samples }),
    state: () => structuredClone(portal.state),
    deliverWebhooks: sender.deliver,
    startWebhooks: sender.run,
  };
}

function restore({ saved, settings = {} }: HubSpotSandboxOptions): PortalState {
  if (!isPortalState(saved)) throw new Error('This is not a saved state of the HubSpot stand-in.');
  const state = structuredClone(saved);
  state.settings = mergeSettings(mergeSettings(DEFAULT_SETTINGS, state.settings), settings);
  return state;
}
