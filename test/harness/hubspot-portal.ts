import type { RecordName } from '#shared/crm';
import { type Clock, seededRandom } from '#shared/kernel';
import { type Properties, peopleAt } from '../../infra/local/virtual/people-at-hubspot.ts';
import { createHubSpotSandbox, type SandboxSettings } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { DEFAULT_SETTINGS } from '../../infra/sandbox/hubspot/settings.ts';
import type { Script } from '../../infra/sandbox/hubspot/verbs.ts';

export type { Properties, RecordName };

export const TOKEN = 'sandbox-token';
export const CLIENT_SECRET = 'sandbox-client-secret';
export const APP_ID = 7_001;
export const WEBHOOK_URL = 'https://receiver.example/hubspot';

/** Creates a HubSpot account with people who use it. */
export function createPortal(options: {
  readonly clock: Clock;
  readonly seed: number;
  readonly settings: Partial<SandboxSettings>;
  /** The state to start from; absent for an empty portal. */
  readonly saved: unknown;
  readonly receive: (request: Request) => Promise<Response>;
  /** The app's scripts, for a browser. */
  readonly app?: Script | undefined;
}) {
  const sandbox = createHubSpotSandbox({
    clock: options.clock,
    random: seededRandom(options.seed),
    send: options.receive,
    saved: options.saved,
    ...(options.app && { script: options.app }),
    settings: {
      ...DEFAULT_SETTINGS,
      accessToken: TOKEN,
      clientSecret: CLIENT_SECRET,
      appId: APP_ID,
      webhookUrl: WEBHOOK_URL,
      ...options.settings,
    },
  });
  return { sandbox, ...peopleAt(sandbox) };
}
