import type { RecordState } from './schemas.ts';

/** Runs by what became of them: opened = ended + waiting + running, for each record and so for all. */
export interface RunCounts {
  readonly opened: number;
  readonly ended: number;
  readonly waiting: number;
  readonly running: number;
}

export function runCounts(state: RecordState): RunCounts {
  const ended = Object.values(state.outcomes).reduce((sum, count) => sum + count, 0);
  const waiting = state.run && state.waiting && !state.claim ? 1 : 0;
  const running = state.run && state.claim && !state.waiting ? 1 : 0;
  return { opened: state.runsOpened, ended, waiting, running };
}

/** Runs that are in no column, or in two: 0 unless something was lost. */
export function lostRuns({ opened, ended, waiting, running }: RunCounts): number {
  return opened - ended - waiting - running;
}
