import { unreachable } from '#shared/kernel/errors.ts';
import type { Brought, BroughtKind } from '#shared/records/brought/schemas.ts';
import type { EnrichmentServices, Held, RunOutcome } from './services.ts';

interface Settled {
  readonly run: Held['run'];
  readonly runOutcome: RunOutcome;
  /** Fields of the answer that were written in this attempt. */
  readonly fields: number;
}

/** What one settled attempt at a run brought; nothing where it goes on later and has written nothing yet. */
export function broughtBy({ run: { purpose }, runOutcome, fields }: Settled): Brought | undefined {
  if (runOutcome.kind === 'outcome') return { purpose, kind: kindOf(runOutcome), runs: 1, fields };
  // The run itself is counted when it ends.
  return fields > 0 ? { purpose, kind: 'filled', runs: 0, fields } : undefined;
}

function kindOf({ outcome, learned }: Extract<RunOutcome, { kind: 'outcome' }>): BroughtKind {
  if (learned.isGone) return 'gone';
  switch (outcome) {
    case 'enriched':
      return 'filled';
    case 'unchanged':
      // Without an answer there was nothing to ask.
      return learned.answeredQuestion === undefined ? 'skipped' : 'confirmed';
    case 'unmatched':
    case 'skipped':
    case 'failed':
      return outcome;
    default:
      return unreachable(outcome);
  }
}

/** Keeps what a batch brought, once for all of it. The books and the records do not depend on it: it may fail. */
export async function keepBrought(
  { dailyBrought, logger }: Pick<EnrichmentServices, 'dailyBrought' | 'logger'>,
  brought: readonly (Brought | undefined)[],
): Promise<void> {
  try {
    await dailyBrought.add(brought.flatMap((each) => each ?? []));
  } catch (error) {
    logger.warn('brought-not-kept', { code: error instanceof Error ? error.name : 'UNKNOWN' });
  }
}
