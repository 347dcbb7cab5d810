import type { Clock, Random } from '../../../shared/kernel/index.ts';
import type { SandboxSettings } from './settings.ts';
import type { PortalState } from './state.ts';

/** The account and what it lives on; passed to everything that reads or changes it. */
export interface Portal {
  /** Replaced as a whole by a reset. */
  state: PortalState;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolved, and replaced, when an event is waiting to be delivered. */
  wake: PromiseWithResolvers<void>;
}

/** Who changes something, as HubSpot records it in histories and events. */
export interface Actor {
  /** `INTEGRATION`, `CRM_UI`, `IMPORT`, `FORM`, ... */
  readonly sourceType: string;
  readonly sourceId: string;
  readonly userId?: number;
}

/** A write with the app's token. */
export function appActor(settings: SandboxSettings): Actor {
  return { sourceType: 'INTEGRATION', sourceId: String(settings.appId) };
}

/** A person at the screen. */
export function personActor(userId: number): Actor {
  return { sourceType: 'CRM_UI', sourceId: `userId:${userId}`, userId };
}

/** The person at the screen where none is named. */
export const VIEWER = { userId: 1_001, userEmail: 'somebody@portal.example' };
