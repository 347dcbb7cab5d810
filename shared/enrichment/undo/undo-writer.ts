import type { ObjectType, PropertyDefinitions } from '#shared/crm';
import { createMark, ENRICHMENT_STATUSES, type EnrichmentStatus } from '#shared/field-policy';
import type { JournalEntry } from '#shared/records';
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

/** Values of the journal that are to be written over what is ours. */
export interface PlannedUndo extends PlannedWrite, UndoPlan {
  readonly draft: UndoDraft;
}

interface Portal {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
}

/** Writes what was there before our writes. It reads the journal instead of an answer, and no rule of a field counts. */
export function undoWriter(services: UndoServices, portal: Portal): Writer<PlannedUndo> {
  return {
    plan: async (drafts, recovered) => {
      const readAtMs = services.clock.monotonic();
      const wanted = drafts.map(({ held, ...rest }) => ({ state: held.state, ...rest }));
      const plans = await planUndos(services, portal.objectType, wanted);
      const planned = drafts.flatMap((draft, at) => {
        const plan = plans[at];
        const before = recovered.get(draft.held.id) ?? NOTHING_RECOVERED;
        return plan ? [plannedUndo(services, { draft, plan, before, ...portal })] : [];
      });
      return { plans: planned, readAtMs };
    },
    entryOf: (plan) => entryOf(services, plan),
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
  const isOpen = ([property, lost]: [string, string]) =>
    report.restored.some((each) => each.property === property && (each.to ?? '') === lost);
  // What this undo has not brought back yet is no person's loss.
  const lost = Object.entries(current ? backOf(before, current) : {}).filter((each) => !isOpen(each));
  const back = Object.fromEntries(lost);
  const restored = report.restored.filter(({ property }) => !Object.hasOwn(back, property));
  const values = { ...Object.fromEntries(restored.map(({ property, to }) => [property, to ?? ''])), ...back };
  const { isWrongMatch, isRejection } = draft.request;
  const isWritten = Object.keys(values).length > 0 || isWrongMatch === true || isRejection === true;
  return {
    ...{ ...plan, report: { ...report, restored }, draft, back },
    writes: isWritten ? { ...values, ...statusesOf(draft, { ...plan, definitions, restored }) } : {},
    filled: restored.map(({ property }) => property),
    broughtBack: {
      ...Object.fromEntries(restored.map(({ property, to }) => [property, mark(property, to)])),
      ...broughtBackOf(before, mark),
    },
  };
}

interface Telling extends Pick<Portal, 'definitions'>, Pick<UndoReport, 'restored'> {
  readonly leavesNothing: boolean;
  readonly current: UndoPlan['current'];
}

/** HubSpot is not to call a record enriched, or to be trusted, of which nothing of ours is left. */
function statusesOf({ leftOut, request }: UndoDraft, telling: Telling): Record<string, string> {
  const { definitions, restored, leavesNothing, current } = telling;
  const isOver = leavesNothing || request.isWrongMatch === true;
  const status = leavesNothing ? outcomeAfter(request) : statusAfter(request, current);
  const told = {
    enrichment_reason: undoReason(restored, request),
    ...(status !== undefined && { enrichment_status: status }),
    ...(isOver && { enrichment_source: '', enrichment_trust_until: '' }),
  };
  return differingStatuses(told, { definitions, current, leftOut });
}

/** `enrichment_status` after an undo that leaves values of ours: it stays, but for a rejected answer nothing needs review. */
export function statusAfter(
  { isRejection }: UndoDraft['request'],
  current: UndoPlan['current'],
): EnrichmentStatus | undefined {
  const shown = current?.properties['enrichment_status'];
  if (isRejection && shown === 'review') return 'unchanged';
  return ENRICHMENT_STATUSES.find((status) => status === shown);
}

/** How a record stands of which nothing of ours is left. */
export function outcomeAfter({ isWrongMatch }: UndoDraft['request']): 'unmatched' | 'skipped' {
  return isWrongMatch ? 'unmatched' : 'skipped';
}

export function undoReason(
  restored: readonly { readonly property: string }[],
  { isWrongMatch, isRejection }: Pick<UndoDraft['request'], 'isWrongMatch' | 'isRejection'>,
): string {
  const names = restored.map(({ property }) => property);
  const undone = names.length === 0 ? [] : [`Undone: ${names.join(', ')}.`];
  const rejected = isRejection ? ['A person rejected the answer.'] : [];
  const why = isWrongMatch ? ['A person said that the answer is about another person or company.'] : rejected;
  return [...why, ...undone].join(' ') || 'There was nothing left to undo.';
}

function entryOf({ policy, clock }: UndoServices, plan: PlannedUndo): JournalEntry {
  const { held, request } = plan.draft;
  const { objectType, id, state, run } = held;
  const nowMs = clock.now();
  return {
    ...{ objectType, id, kind: 'undo', purpose: 'manual', outcome: 'unchanged' },
    ...{ run: state.runsOpened, policyVersion: policy.version, atMs: nowMs, sentAtMs: nowMs },
    eventKeys: request.eventKey === undefined ? [] : [request.eventKey],
    ...(request.askedBy !== undefined && { askedBy: request.askedBy }),
    ...{ credits: run.credits, reason: undoReason(plan.report.restored, request) },
    changes: plannedChanges(plan).filter(({ property }) => !isStatus(property)),
  };
}
