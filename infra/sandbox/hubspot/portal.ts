import type { Clock, Random } from '../../../shared/kernel/index.ts';
import type { SandboxSettings } from './settings.ts';
import type { PortalState } from './state.ts';

/** The account with its clock and randomness. It is passed to all code that reads or changes the account. */
export interface Portal {
  /** A reset replaces the whole state. */
  state: PortalState;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves when an event or a setting changes, and is then replaced. */
  wake: PromiseWithResolvers<void>;
}

/** Author of a change, as in HubSpot's histories and events. */
export interface Actor {
  /** `INTEGRATION`, `CRM_UI`, `IMPORT`, `FORM`, ... */
  readonly sourceType: string;
  readonly sourceId: string;
  readonly userId?: number;
}

/** The app, as the author of writes with its token. */
export function appActor(settings: SandboxSettings): Actor {
  return { sourceType: 'INTEGRATION', sourceId: String(settings.appId) };
}

/** A person at the screen. */
export function personActor(userId: number): Actor {
  return { sourceType: 'CRM_UI', sourceId: `userId:${userId}`, userId };
}

/** Default person at the screen. */
export const VIEWER = { userId: 1_001, userEmail: 'somebody@portal.example' };
