import type { Outcome, RecordState } from './schemas.ts';

type Event = RecordState['recentEvents'][number];

interface Move {
  readonly from: number;
  readonly to: number;
  /** Moves only the wishes of workflows. */
  readonly ofWorkflows?: boolean;
  /** Credits that the run `to` has paid or committed before the wishes join it. */
  readonly paid?: number;
}

/**
 * Moves the wishes of one run to another run, which then serves them. A wish is the request of a person or a workflow
 * for a record.
 */
export function movedWishes<S extends Pick<RecordState, 'recentEvents'>>(
  state: S,
  { from, to, ofWorkflows = false, paid = 0 }: Move,
): S {
  const isMoved = ({ key, run, credits }: Event) =>
    run === from && credits === undefined && (!ofWorkflows || key.startsWith('workflow-action:'));
  const move = (event: Event) => (isMoved(event) ? joining(event, { run: to, paid }) : event);
  return { ...state, recentEvents: state.recentEvents.map(move) };
}

/** Returns the event of a wish that joins a run, which has already paid or committed these credits. */
export function joining(
  { key, atMs }: Pick<Event, 'key' | 'atMs'>,
  { run, paid }: { readonly run: number; readonly paid: number },
): Event {
  return { key, atMs, run, ...(paid > 0 && { paidBefore: paid }) };
}

/** Returns the part of a run's charge that was made after the wish had joined the run. */
export function chargeOfWish({ paidBefore = 0 }: Event, runCredits: number): number {
  return Math.max(0, runCredits - paidBefore);
}

/**
 * Stores the ended run's charge with the wishes that it served. The wishes of the run before get the end of that run,
 * because the record's outcome is now that of the ended run.
 */
export function endedWishes(
  { recentEvents, runsOpened, outcome: before }: Pick<RecordState, 'recentEvents' | 'runsOpened' | 'outcome'>,
  { credits }: Pick<Outcome, 'credits'>,
): readonly Event[] {
  return recentEvents.map((event) => {
    if (event.run === runsOpened && event.credits === undefined)
      return { ...event, credits: chargeOfWish(event, credits) };
    const isOfRunBefore = event.run === runsOpened - 1 && event.credits !== undefined;
    return before && isOfRunBefore && event.end === undefined ? { ...event, end: endOf(before) } : event;
  });
}

function endOf({ kind, status, reason, atMs }: Outcome): NonNullable<Event['end']> {
  return { kind, reason, atMs, ...(status !== undefined && { status }) };
}

/** Whether the same run served an earlier wish. Only the first wish reports the charge. */
export function isServedByEarlier({ recentEvents }: Pick<RecordState, 'recentEvents'>, wish: Event): boolean {
  const ofRun = recentEvents.filter(({ run }) => run !== undefined && run === wish.run);
  return ofRun.indexOf(wish) > 0;
}
