import type { ObjectType, PropertyDefinitions } from '#shared/crm';
import { createMark, lastWrittenMarks } from '#shared/field-policy';
import {
  explanationText,
  type JournalEntry,
  type RecordState,
  type Removed,
  takesNewestAnswer,
} from '#shared/records';
import { removalReason } from '../ask/admit-record.ts';
import type { RecordClaim } from '../services.ts';
import { isStatus } from '../write-back/draft.ts';
import { plannedChanges } from '../write-back/journal-writes.ts';
import type { PlannedWrite, Writer } from '../write-back/planned-write.ts';
import { backOf, broughtBackOf, NOTHING_RECOVERED, type RecoveredRecord } from '../write-back/recover.ts';
import { differingStatuses, withoutRefusedReturns } from '../write-back/take-back.ts';
import { planRemovals, type RemovalPlan, type RemovalServices, type ToRemove } from './plan-removal.ts';

interface RemovalDraft extends Omit<ToRemove, 'state'> {
  readonly held: RecordClaim;
}

/** A plan to remove our values permanently. */
export interface PlannedRemoval extends PlannedWrite, RemovalPlan {
  readonly draft: RemovalDraft;
}

interface Portal {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
}

/** Empties the values that are still ours. It ignores the policy's field rules, and stores no values in the journal. */
export function removalWriter(services: RemovalServices, portal: Portal): Writer<PlannedRemoval> {
  return {
    plan: async (drafts, recovered) => {
      const readAtMs = services.clock.monotonic();
      const wanted = drafts.map(({ held, ...rest }) => {
        const { theirs } = recovered.get(held.id) ?? NOTHING_RECOVERED;
        return { state: held.state, theirs, ...rest };
      });
      const plans = await planRemovals(services, portal.objectType, wanted);
      const planned = drafts.flatMap((draft, index) => {
        const plan = plans[index];
        const before = recovered.get(draft.held.id) ?? NOTHING_RECOVERED;
        return plan ? [plannedRemoval(services, { draft, plan, before, ...portal })] : [];
      });
      return { plans: planned, readAtMs };
    },
    entryOf: (plan) => removalEntry(services, plan),
    withoutRefused: withoutRefusedReturns,
  };
}

interface Planning extends Portal {
  readonly draft: RemovalDraft;
  readonly plan: RemovalPlan;
  readonly before: RecoveredRecord;
}

function plannedRemoval(
  services: RemovalServices,
  { draft, plan, before, definitions }: Planning,
): PlannedRemoval {
  const { current } = plan;
  const mark = createMark({ definitions, hash: services.digest.keyed });
  const restored = current ? backOf(before, current) : {};
  const isStillRemoved = ([property]: [string, string]) => !Object.hasOwn(restored, property);
  const removed = Object.fromEntries(Object.entries(plan.removed).filter(isStillRemoved));
  const values = { ...removed, ...restored };
  const statuses = current ? statusesOf(draft, { ...plan, removed, definitions }) : {};
  return {
    ...{ ...plan, removed, draft, back: restored },
    writes: { ...values, ...statuses },
    filled: Object.keys(removed),
    broughtBack: {
      ...lastWrittenMarks(theirsIn(removed), mark),
      ...broughtBackOf(before, mark),
    },
  };
}

/** Returns the statuses after a removal: the reason, and no next check of removed values. */
function statusesOf(
  { held, removal, leftOut }: RemovalDraft,
  { current, removed, left, definitions }: Omit<RemovalPlan, 'kept'> & Pick<Portal, 'definitions'>,
): Record<string, string> {
  const takesNewest = takesNewestAnswer(held.state, removal);
  // A recall that neither removes a value nor the newest answer changes no status.
  if (Object.keys(removed).length === 0 && !takesNewest) return {};
  const statuses = {
    enrichment_reason: explanationText(removalReason(removal)),
    // A later answer that stays keeps its next check.
    ...(takesNewest && { enrichment_next_check_at: '' }),
    ...(isWhole(held.state, { removal, left }) && EMPTY_STATUSES),
  };
  return differingStatuses(statuses, { definitions, current, leftOut });
}

function theirsIn(removed: RemovalPlan['removed']): Record<string, string> {
  return Object.fromEntries(Object.entries(removed).filter(([, rest]) => rest !== ''));
}

/** Statuses of a record without our values. A later answer sets them again. */
const EMPTY_STATUSES = {
  enrichment_status: 'skipped',
  enrichment_last_at: '',
  enrichment_source: '',
  enrichment_first_at: '',
  enrichment_notice_due: '',
};

/** Whether the record holds no value of ours after the removal. */
export function isWhole(state: RecordState, { removal, left }: Removed): boolean {
  return takesNewestAnswer(state, removal) && left.length === 0;
}

/**
 * Builds the journal entry. Its values stay until the write is confirmed. If the result of the write is unknown, they
 * show whether it arrived.
 */
export function removalEntry(
  { policy, clock }: Pick<RemovalServices, 'policy' | 'clock'>,
  plan: Pick<PlannedRemoval, 'draft' | 'writes' | 'back' | 'current' | 'removed'>,
): JournalEntry {
  const { held, removal } = plan.draft;
  const { objectType, id, state, run } = held;
  const nowMs = clock.now();
  return {
    ...{ objectType, id, kind: 'removal', purpose: 'manual', outcome: 'skipped', eventKeys: [] },
    ...{ run: state.runsOpened, policyVersion: policy.version, atMs: nowMs, sentAtMs: nowMs },
    ...{ credits: run.credits, reason: removalReason(removal) },
    // The remaining choices count as restored to the people who made them.
    changes: plannedChanges({ ...plan, back: { ...plan.back, ...theirsIn(plan.removed) } }).filter(
      ({ property }) => !isStatus(property),
    ),
  };
}
