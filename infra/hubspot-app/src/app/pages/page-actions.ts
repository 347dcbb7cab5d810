import type { PollPace } from '../cards/use-request.ts';

/** What every row of the page is given. */
export interface PageActions {
  readonly pace: PollPace;
  /** Something was decided: the page reads itself again. */
  readonly onDecided: () => void;
  /** Of the HubSpot account, for links to its records. */
  readonly portalId: number | undefined;
}
