import type { Clock } from '#shared/kernel';
import type { ReadAccount } from './account.ts';
import type { AssumptionVerdict } from './assumption.ts';
import type { Deliveries } from './deliveries.ts';
import type { OwnRecords } from './own-records.ts';

/** The tools of a step. */
export interface Stage {
  readonly account: ReadAccount;
  readonly records: OwnRecords;
  /** Absent if no webhooks reach the rehearsal. */
  readonly deliveries: Deliveries | undefined;
  /** Asks a person to change the first name of this contact in HubSpot. Absent without a terminal. */
  readonly askPerson: ((contactId: string) => Promise<void>) | undefined;
  /** Shows a line at the terminal. */
  readonly say: (line: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  note(assumption: string, observation: AssumptionVerdict): void;
}

export interface RehearsalStep {
  readonly name: string;
  readonly about: string;
  readonly run: (stage: Stage) => Promise<void>;
}
