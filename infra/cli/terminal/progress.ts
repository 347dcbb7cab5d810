import { SECOND_MS } from '#shared/kernel';
import type { CliIo } from './cli-io.ts';

/** Time after which the progress is shown. Shorter work needs no progress bar. */
const SHOWN_AFTER_MS = 2 * SECOND_MS;
const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\u001b[2K';

export interface Work {
  /** Absent while the total is unknown. */
  readonly total?: number | undefined;
  readonly noun: string;
}

/**
 * Shows a bar with rate and remaining time, or a count while the total is unknown. Without a terminal, it shows
 * nothing.
 */
export function createProgress(io: CliIo) {
  const { clock } = io;
  let isShown = false;
  return {
    begin: (work: Work) => {
      const startedAt = clock.monotonic();
      return (done: number): void => {
        const elapsedMs = clock.monotonic() - startedAt;
        if (!io.terminal || elapsedMs < SHOWN_AFTER_MS) return;
        isShown = true;
        io.err(`${CLEAR_LINE}${progressLine({ ...work, done, elapsedMs })}`);
      };
    },
    /** Clears the progress line. */
    end: (): void => {
      if (isShown) io.err(CLEAR_LINE);
      isShown = false;
    },
  };
}

/** `[######                        ] 40 of 200 results, 20.0/s, 8 s left`; without a total `40 results, 20.0/s`. */
export function progressLine(state: Work & { readonly done: number; readonly elapsedMs: number }): string {
  const { done, total, noun, elapsedMs } = state;
  const perSecond = done / (elapsedMs / SECOND_MS);
  if (total === undefined) return `${done} ${noun}, ${perSecond.toFixed(1)}/s`;
  const filled = Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
  const left = perSecond > 0 ? `, ${Math.ceil((total - done) / perSecond)} s left` : '';
  return `${bar} ${done} of ${total} ${noun}, ${perSecond.toFixed(1)}/s${left}`;
}
