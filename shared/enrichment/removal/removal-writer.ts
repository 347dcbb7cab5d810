import type { ObjectType, PropertyDefinitions } from '#shared/crm';
import { createMark } from '#shared/field-policy';
import type { JournalEntry } from '#shared/records';
import { removalReason } from '../ask/admit-record.ts';
import type { RecordClaim } from '../services.ts';
import { isStatus } from '../write-back/draft.ts';
import { plannedChanges } from '../write-back/journal-writes.ts';
import type { PlannedWrite, Writer } from '../write-back/planned-write.ts';
import { backOf, broughtBackOf, NOTHING_RECOVERED, type RecoveredRecord } from '../write-back/recover.ts';
import {
  isUnderWay,
  planRemovals,
  type RemovalPlan,
  type RemovalServices,
  type ToRemove,
} from './plan-removal.ts';

interface RemovalDraft extends Omit<ToRemove, 'state'> {
  readonly held: RecordClaim;
}

/** Values of ours that are to be emptied for good. */
export interface PlannedRemoval extends PlannedWrite, RemovalPlan {
  readonly draft: RemovalDraft;
}

interface Portal {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
}

/** Empties the values that are still ours. No rule of a field counts, and the journal gets no values. */
export function removalWriter(services: RemovalServices, portal: Portal): Writer<PlannedRemoval> {
  return {
    plan: async (drafts, recovered) => {
      const readAtMs = services.clock.monotonic();
      const wanted = drafts.map(({ held, ...rest }) => {
        const { theirs } = recovered.get(held.id) ?? NOTHING_RECOVERED;
        return { state: held.state, theirs, ...rest };
      });
      const plans = await planRemovals(services, portal.objectType, wanted);
      const planned = drafts.flatMap((draft, at) => {
        const plan = plans[at];
        const before = recovered.get(draft.held.id) ?? NOTHING_RECOVERED;
        return plan ? [plannedRemoval(services, { draft, plan, before, ...portal })] : [];
      });
      return { plans: planned, readAtMs };
    },
    entryOf: (plan) => removalEntry(services, plan),
    withoutRefused: ({ draft, writes, back }, { properties, reason }) => {
      const refused = properties.filter((name) => Object.hasOwn(writes, name) && !Object.hasOwn(back, name));
      if (refused.length === 0) return undefined;
      const leftOut = refused.map((property) => ({ property, reason }));
      return { ...draft, leftOut: [...(draft.leftOut ?? []), ...leftOut] };
    },
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
  const back = current ? backOf(before, current) : {};
  const removed = plan.removed.filter((property) => !Object.hasOwn(back, property));
  const values = { ...Object.fromEntries(removed.map((property) => [property, ''])), ...back };
  const statuses = current ? statusesOf(draft, { ...plan, removed, definitions }) : {};
  return {
    ...{ ...plan, removed, draft, back },
    writes: { ...values, ...statuses },
    filled: removed,
    broughtBack: broughtBackOf(before, mark),
  };
}

/** HubSpot says why the values are gone, and vouches for none of them. */
function statusesOf(
  { held, removal, leftOut = [] }: RemovalDraft,
  { current, removed, definitions }: Pick<RemovalPlan, 'current' | 'removed'> & Pick<Portal, 'definitions'>,
): Record<string, string> {
  // Of a recall that finds nothing to take back, the record has nothing to tell.
  if (removed.length === 0 && removal.obtained) return {};
  // Where a later answer stands, the record is what that made it.
  const isWhole = isUnderWay(held.state);
  const told: [string, string][] = [
    ['enrichment_reason', removalReason(removal)],
    ...(isWhole
      ? ([
          ['enrichment_status', 'skipped'],
          ['enrichment_source', ''],
          ['enrichment_trust_until', ''],
          // A later answer begins anew.
          ['enrichment_first_at', ''],
          ['enrichment_notice_due', ''],
        ] as [string, string][])
      : []),
  ];
  const isOpen = ([property, value]: [string, string]) =>
    definitions.has(property) &&
    (current?.properties[property] ?? '') !== value &&
    !leftOut.some((each) => each.property === property);
  return Object.fromEntries(told.filter(isOpen));
}

/** Its values stay until the write is proved: an attempt whose end nobody told is judged by them. */
export function removalEntry(
  { policy, clock }: Pick<RemovalServices, 'policy' | 'clock'>,
  plan: Pick<PlannedRemoval, 'draft' | 'writes' | 'back' | 'current'>,
): JournalEntry {
  const { held, removal } = plan.draft;
  const { objectType, id, state, run } = held;
  const nowMs = clock.now();
  return {
    ...{ objectType, id, kind: 'removal', purpose: 'manual', outcome: 'skipped', eventKeys: [] },
    ...{ run: state.runsOpened, policyVersion: policy.version, atMs: nowMs, sentAtMs: nowMs },
    ...{ credits: run.credits, reason: removalReason(removal) },
    changes: plannedChanges(plan).filter(({ property }) => !isStatus(property)),
  };
}
