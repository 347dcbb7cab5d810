import type { ObjectType, PropertyDefinitions } from '#shared/crm';
import { createMark, ENRICHMENT_STATUSES, type EnrichmentStatus } from '#shared/field-policy';
import type { Explanation } from '#shared/ownership';
import { because, explanationText, type JournalEntry, withNotes } from '#shared/records';
import type { RecordClaim } from '../services.ts';
import { isStatus } from '../write-back/draft.ts';
import { plannedChanges } from '../write-back/journal-writes.ts';
import type { PlannedWrite, Writer } from '../write-back/planned-write.ts';
import { backOf, broughtBackOf, NOTHING_RECOVERED, type RecoveredRecord } from '../write-back/recover.ts';
import { differingStatuses, withoutRefusedReturns } from '../write-back/take-back.ts';
import { planUndos, type ToUndo, type UndoPlan, type UndoReport, type UndoServices } from './plan-undo.ts';

interface UndoDraft extends Omit<ToUndo, 'state'> {
  readonly held: RecordClaim;
}

/** A plan to write former values from the journal over our own values. */
export interface PlannedUndo extends PlannedWrite, UndoPlan {
  readonly draft: UndoDraft;
}

interface Portal {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
}

/**
 * Restores the values before our writes. It uses the journal instead of an answer, and ignores the policy's field
 * rules.
 */
export function undoWriter(services: UndoServices, portal: Portal): Writer<PlannedUndo> {
  return {
    plan: async (drafts, recovered) => {
      const readAtMs = services.clock.monotonic();
      const wanted = drafts.map(({ held, ...rest }) => ({ state: held.state, ...rest }));
      const plans = await planUndos(services, portal.objectType, wanted);
      const planned = drafts.flatMap((draft, index) => {
        const plan = plans[index];
        const before = recovered.get(draft.held.id) ?? NOTHING_RECOVERED;
        return plan ? [plannedUndo(services, { draft, plan, before, ...portal })] : [];
      });
      return { plans: planned, readAtMs };
    },
    entryOf: (plan) => entryOf(services, plan, portal),
    withoutRefused: withoutRefusedReturns,
  };
}

interface Planning extends Portal {
  readonly draft: UndoDraft;
  readonly plan: UndoPlan;
  readonly before: RecoveredRecord;
}

function plannedUndo(services: UndoServices, { draft, plan, before, definitions }: Planning): PlannedUndo {
  const { report, current } = plan;
  const mark = createMark({ definitions, hash: services.digest.keyed });
  const willRestore = ([property, lost]: [string, string]) =>
    report.restored.some((each) => each.property === property && (each.to ?? '') === lost);
  // Leaves out values that this undo restores anyway.
  const lost = Object.entries(current ? backOf(before, current) : {}).filter((each) => !willRestore(each));
  const lostValues = Object.fromEntries(lost);
  const restored = report.restored.filter(({ property }) => !Object.hasOwn(lostValues, property));
  const values = {
    ...Object.fromEntries(restored.map(({ property, to }) => [property, to ?? ''])),
    ...lostValues,
  };
  const { isWrongMatch, isRejection } = draft.request;
  const isWritten = Object.keys(values).length > 0 || isWrongMatch === true || isRejection === true;
  return {
    ...{ ...plan, report: { ...report, restored }, draft, back: lostValues },
    writes: isWritten ? { ...values, ...statusesOf(draft, { ...plan, definitions, restored }) } : {},
    filled: restored.map(({ property }) => property),
    broughtBack: {
      ...Object.fromEntries(restored.map(({ property, to }) => [property, mark(property, to)])),
      ...broughtBackOf(before, mark),
    },
  };
}

interface StatusInput extends Pick<Portal, 'definitions'>, Pick<UndoReport, 'restored'> {
  readonly leavesNothing: boolean;
  readonly current: UndoPlan['current'];
}

/** Returns the statuses after an undo. A record without our values must not count as enriched. */
function statusesOf({ leftOut, request }: UndoDraft, input: StatusInput): Record<string, string> {
  const { definitions, restored, leavesNothing, current } = input;
  const clearsAnswer = leavesNothing || request.isWrongMatch === true;
  const status = leavesNothing ? outcomeAfter(request) : statusAfter(request, current);
  const statuses = {
    enrichment_reason: explanationText(undoReason(restored, request, definitions)),
    ...(status !== undefined && { enrichment_status: status }),
    ...(clearsAnswer && { enrichment_source: '', enrichment_next_check_at: '' }),
    // No data about this person were obtained.
    ...(leavesNothing && request.isWrongMatch && { enrichment_first_at: '', enrichment_notice_due: '' }),
  };
  return differingStatuses(statuses, { definitions, current, leftOut });
}

/**
 * Returns `enrichment_status` after an undo that leaves some of our values. The status stays, but a rejected answer no
 * longer needs review.
 */
export function statusAfter(
  { isRejection }: UndoDraft['request'],
  current: UndoPlan['current'],
): EnrichmentStatus | undefined {
  const shown = current?.properties['enrichment_status'];
  if (isRejection && shown === 'review') return 'unchanged';
  return ENRICHMENT_STATUSES.find((status) => status === shown);
}

/** Outcome of a record without any value of ours. */
export function outcomeAfter({ isWrongMatch }: UndoDraft['request']): 'unmatched' | 'skipped' {
  return isWrongMatch ? 'unmatched' : 'skipped';
}

/** Says what an undo brought back, with HubSpot's labels of the properties. */
export function undoReason(
  restored: readonly { readonly property: string }[],
  { isWrongMatch, isRejection }: Pick<UndoDraft['request'], 'isWrongMatch' | 'isRejection'>,
  definitions: PropertyDefinitions,
): Explanation {
  const labels = restored.map(({ property }) => definitions.get(property)?.label ?? property);
  const undone = labels.length === 0 ? [] : [because('undone', { labels })];
  if (isWrongMatch) return withNotes(because('rejected-by-person'), undone);
  if (isRejection) return withNotes(because('answer-rejected'), undone);
  return undone[0] ?? because('nothing-to-undo');
}

function entryOf(
  { policy, clock }: UndoServices,
  plan: PlannedUndo,
  { definitions }: Pick<Portal, 'definitions'>,
): JournalEntry {
  const { held, request } = plan.draft;
  const { objectType, id, state, run } = held;
  const nowMs = clock.now();
  return {
    ...{ objectType, id, kind: 'undo', purpose: 'manual', outcome: 'unchanged' },
    ...{ run: state.runsOpened, policyVersion: policy.version, atMs: nowMs, sentAtMs: nowMs },
    eventKeys: request.eventKey === undefined ? [] : [request.eventKey],
    ...(request.askedBy !== undefined && { askedBy: request.askedBy }),
    ...{ credits: run.credits, reason: undoReason(plan.report.restored, request, definitions) },
    changes: plannedChanges(plan).filter(({ property }) => !isStatus(property)),
  };
}
