import type { Extension, RecordClaim } from '#shared/enrichment';
import { backfillRunOf, because } from '#shared/records';
import type { OpenItems } from '#shared/store';
import { backfillItems, backfillKind } from './stored-kinds.ts';
import { isHalted } from './transitions.ts';

/** Why the run of a stopped or paused backfill ends. */
export const HALTED = because('backfill-halted');

/** Runs of a backfill spend nothing while it is stopped or paused. A missing backfill counts as stopped. */
export function backfillExtension(given: { readonly open: OpenItems }): Extension {
  const { backfills } = backfillItems(given);
  return {
    name: 'backfill',
    halt: {
      reason: HALTED,
      ofBatch: async (runs) => {
        const halted = new Set<RecordClaim>();
        for (const [id, ofId] of Map.groupBy(runs, backfillOf)) {
          if (id === undefined) continue;
          const stored = await backfills.read(backfillKind.key(id));
          if (!stored || isHalted(stored.value)) for (const run of ofId) halted.add(run);
        }
        return halted;
      },
      inTransaction: async (run) => {
        const id = backfillOf(run);
        if (id === undefined) return false;
        const stored = await backfills.readChecked(backfillKind.key(id));
        return !stored || isHalted(stored.value);
      },
    },
    // When a person resumes the backfill, it opens the run again.
    reopensAfter: async ({ outcome, backfills: runs = [] }) => {
      const last = runs.findLast(({ end }) => end?.isWithdrawn);
      if (!last || outcome?.reason.code !== HALTED.code) return undefined;
      const { state } = (await backfills.read(backfillKind.key(last.id)))?.value ?? {};
      return state === 'paused' ? 'backfill-paused' : undefined;
    },
  };
}

/** Returns the id of a run's backfill; `undefined` for a run of another purpose. */
function backfillOf({ run, state }: RecordClaim): string | undefined {
  return run.purpose === 'backfill' ? backfillRunOf(state, run.id)?.id : undefined;
}
