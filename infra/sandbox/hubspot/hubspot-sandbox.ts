import { systemRandom } from '../../../shared/kernel/adapters.ts';
import type { Clock, Random } from '../../../shared/kernel/index.ts';
import { createFrontDoor } from './front-door.ts';
import { DEFAULT_SETTINGS, mergeSettings, type SandboxSettings } from './settings.ts';
import { initialState, isPortalState, type Portal, type PortalState } from './state.ts';
import type { Samples, Script } from './verbs.ts';
import { createWebhookSender, type DeliveryReport, type Send } from './webhooks.ts';

export { DEFAULT_SETTINGS, type SandboxSettings } from './settings.ts';
export type { DeliveryReport, Send } from './webhooks.ts';

export interface HubSpotSandboxOptions {
  readonly clock: Clock;
  /** Source of ids, retry delays, duplicates and faults. With a seeded source, a run is repeatable. */
  readonly random?: Random;
  /** These override the defaults and the settings in `saved`. `POST /_sandbox/reset` returns to them. */
  readonly settings?: Partial<SandboxSettings>;
  /** Earlier result of `state()`, which may have been stored as JSON. Other values are an error. */
  readonly saved?: unknown;
  /** Sends webhooks. The global `fetch` by default. */
  readonly send?: Send;
  /**
   * Code of the app's card for the pages of records, such as `/screen/contacts/123`. Without it, the pages show no
   * card.
   */
  readonly script?: Script;
  readonly samples?: Samples;
}

export interface HubSpotSandbox {
  /**
   * Answers one request like HubSpot, including errors.
   * @throws ConnectionReset for a `reset-before` or `reset-after` fault.
   */
  handle(request: Request): Promise<Response>;
  /** A copy of the whole state as plain JSON values, including undelivered webhooks. */
  state(): unknown;
  pendingWebhooks(): number;
  /** Sends all due webhook events. Does nothing while `webhookUrl` is not set. */
  deliverWebhooks(): Promise<DeliveryReport>;
  /** Delivers continuously, `webhookDelayMs` after an event, until the signal is aborted. */
  startWebhooks(signal: AbortSignal): Promise<void>;
}

export function createHubSpotSandbox(options: HubSpotSandboxOptions): HubSpotSandbox {
  const { clock, random = systemRandom, script, samples } = options;
  const given = mergeSettings(DEFAULT_SETTINGS, options.settings ?? {});
  const freshState = () => initialState(given);
  const state = options.saved === undefined ? freshState() : restore(options);
  const portal: Portal = { state, clock, random, wake: Promise.withResolvers() };
  const send = options.send ?? ((request) => fetch(request));
  const sender = createWebhookSender(portal, send);
  const reset = () => {
    // Event keys continue after a reset, so that an old delivery in progress cannot affect a new event.
    portal.state = { ...freshState(), nextEventKey: portal.state.nextEventKey };
  };
  return {
    handle: createFrontDoor(portal, { reset, send, script, samples }),
    state: () => structuredClone(portal.state),
    pendingWebhooks: () => portal.state.pendingEvents.length,
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
