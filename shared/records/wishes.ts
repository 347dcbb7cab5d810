import type { RecordState } from './schemas.ts';

type Event = RecordState['recentEvents'][number];

interface Move {
  readonly from: number;
  readonly to: number;
  /** Only the wishes of workflows. */
  readonly ofWorkflows?: boolean;
}

/** Moves the wishes of one run to another, which serves them in its place. */
export function movedWishes<S extends Pick<RecordState, 'recentEvents'>>(
  state: S,
  { from, to, ofWorkflows = false }: Move,
): S {
  const isMoved = ({ key, run, credits }: Event) =>
    run === from && credits === undefined && (!ofWorkflows || key.startsWith('workflow-action:'));
  const move = (event: Event) => (isMoved(event) ? { ...event, run: to } : event);
  return { ...state, recentEvents: state.recentEvents.map(move) };
}

/** Notes with the wishes of a run what it was charged. */
export function chargedWishes(
  { recentEvents, runsOpened }: Pick<RecordState, 'recentEvents' | 'runsOpened'>,
  credits: number,
): readonly Event[] {
  return recentEvents.map((event) =>
    event.run === runsOpened && event.credits === undefined ? { ...event, credits } : event,
  );
}

/** Whether an earlier wish was served by the same run: the charge counts for the first wish only. */
export function isServedByEarlier({ recentEvents }: Pick<RecordState, 'recentEvents'>, wish: Event): boolean {
  const ofRun = recentEvents.filter(({ run }) => run !== undefined && run === wish.run);
  return ofRun.indexOf(wish) > 0;
}
