import type { PollPace } from '../cards/use-request.ts';

/** Properties that all rows of the page share. */
export interface PageActions {
  readonly pace: PollPace;
  /** Called after a decision. The page then reads its data again. */
  readonly onDecided: () => void;
  /** Id of the HubSpot account, for links to its records. */
  readonly portalId: number | undefined;
}
