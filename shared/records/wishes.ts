import type { RecordState } from './schemas.ts';

type Event = RecordState['recentEvents'][number];

interface Move {
  readonly from: number;
  readonly to: number;
  /** Moves only the wishes of workflows. */
  readonly ofWorkflows?: boolean;
}

/**
 * Moves the wishes of one run to another run, which then serves them. A wish is the request of a person or a workflow
 * for a record.
 */
export function movedWishes<S extends Pick<RecordState, 'recentEvents'>>(
  state: S,
  { from, to, ofWorkflows = false }: Move,
): S {
  const isMoved = ({ key, run, credits }: Event) =>
    run === from && credits === undefined && (!ofWorkflows || key.startsWith('workflow-action:'));
  const move = (event: Event) => (isMoved(event) ? { ...event, run: to } : event);
  return { ...state, recentEvents: state.recentEvents.map(move) };
}

/** Stores a run's charge with the wishes that it served. */
export function chargedWishes(
  { recentEvents, runsOpened }: Pick<RecordState, 'recentEvents' | 'runsOpened'>,
  credits: number,
): readonly Event[] {
  return recentEvents.map((event) =>
    event.run === runsOpened && event.credits === undefined ? { ...event, credits } : event,
  );
}

/** Whether the same run served an earlier wish. Only the first wish reports the charge. */
export function isServedByEarlier({ recentEvents }: Pick<RecordState, 'recentEvents'>, wish: Event): boolean {
  const ofRun = recentEvents.filter(({ run }) => run !== undefined && run === wish.run);
  return ofRun.indexOf(wish) > 0;
}
