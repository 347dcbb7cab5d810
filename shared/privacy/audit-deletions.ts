import { isAboutPerson } from '#shared/crm';
import { type Clock, DAY_MS, inChunks, type Logger, MINUTE_MS } from '#shared/kernel';
import type { ForgetServices } from '#shared/questions';
import {
  changeRecord,
  continuePass,
  type DeletionAudit,
  foundAt,
  RECORD_PLACES,
  type RecordItems,
  type RecordState,
  type StatusItems,
  type Suspect,
  statusKind,
} from '#shared/records';
import { change } from '#shared/store';
import {
  CONTACTS_IN_A_CHECK,
  findWhereabouts,
  forgetGone,
  type LookServices,
  type Whereabouts,
} from './forget-record.ts';

/**
 * A part reads 495 records of the index, and needs 5 requests to HubSpot (21 in the worst case). With one part in 10
 * minutes, this is 720 to 3,024 requests a day. The smallest account has 250,000 requests a day. In 30 days a pass
 * reads two million records.
 */
const PART_EVERY_MS = 10 * MINUTE_MS;
const RECORDS_IN_A_PART = 5 * CONTACTS_IN_A_CHECK;
/** Time between the starts of two passes. It is longer if a pass takes longer. */
const PASS_EVERY_MS = 7 * DAY_MS;
/** Time between two checks of a missing contact. */
const CONFIRM_AFTER_MS = DAY_MS;
/** Number of missing contacts that a part confirms. Erasing a person takes seconds, so the number is low. */
const CONFIRMED_AT_ONCE = 20;
/**
 * Maximum number of missing contacts. With more, the pass waits, because so many missed deletions indicate a fault of
 * the audit.
 */
const MAX_SUSPECTS = 1_000;

const NEVER: DeletionAudit = { begunMs: 0, partAtMs: 0, suspects: [] };

export interface DeletionAuditServices extends LookServices {
  readonly records: RecordItems;
  readonly status: StatusItems;
  readonly forgetting: ForgetServices;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Number of contacts in one part of the audit. */
export interface DeletionCounts {
  readonly audited: number;
  /** Contacts that were missing in HubSpot at the first check. */
  readonly gone: number;
  /** Contacts that were also missing at the second check. Our data about them is erased. */
  readonly forgotten: number;
  /** Contacts for which HubSpot gave no clear answer. */
  readonly unclear: number;
}

/**
 * Looks up every known contact in HubSpot, in parts. Erases our data about contacts that are permanently deleted,
 * because the webhook of a privacy deletion may never arrive. Does not use the HubSpot requests that are reserved for
 * other apps.
 * @returns `undefined` while no part is due.
 */
export async function auditDeletions(services: DeletionAuditServices): Promise<DeletionCounts | undefined> {
  const { status, crm, clock } = services;
  const nowMs = clock.now();
  const known = (await status.read(statusKind.key('deletions')))?.value.deletions;
  if (known && !isPartDue(known, nowMs)) return undefined;
  if ((await crm.pausedUntil('bulk')) !== undefined) return undefined;
  // Stores the time first, because a failed part also uses requests.
  await changeAudit(services, async (audit) => ({ audit: { ...audit, partAtMs: nowMs } }));
  const { forgotten } = await confirmSuspects(services);
  return { ...(await checkNextPart(services)), forgotten };
}

function isPartDue({ partAtMs, at, begunMs, suspects }: DeletionAudit, nowMs: number): boolean {
  if (nowMs < partAtMs + PART_EVERY_MS) return false;
  return (
    at !== undefined || nowMs >= begunMs + PASS_EVERY_MS || suspects.some(({ lookAtMs }) => nowMs >= lookAtMs)
  );
}

function changeAudit<D extends { readonly audit?: DeletionAudit }>(
  { status, clock }: DeletionAuditServices,
  decide: (audit: DeletionAudit) => Promise<D>,
): Promise<D> {
  const item = { key: statusKind.key('deletions'), kind: 'status of deletions', clock };
  return change(status, item, async (known) => {
    const decision = await decide(known?.deletions ?? NEVER);
    return { ...decision, value: decision.audit && { deletions: decision.audit } };
  });
}

/**
 * Checks missing contacts again, one day or more after the first check. If HubSpot's answer is unclear, checks the
 * contact again after one more day.
 */
async function confirmSuspects(services: DeletionAuditServices): Promise<{ readonly forgotten: number }> {
  return changeAudit(services, async (audit): Promise<{ forgotten: number; audit?: DeletionAudit }> => {
    const nowMs = services.clock.now();
    const due = audit.suspects.filter(({ lookAtMs }) => nowMs >= lookAtMs).slice(0, CONFIRMED_AT_ONCE);
    if (due.length === 0) return { forgotten: 0 };
    const ids = due.map(({ id }) => id);
    const whereabouts = await findWhereabouts(services, { ids, witness: audit.witness });
    const { forgotten, unclear } = await forgetGone(services, {
      ids: ids.filter((id) => whereabouts.gone.has(id)),
      suspects: new Set(
        audit.suspects.flatMap((suspect) => (isSeenLongAgo(suspect, nowMs) ? [suspect.id] : [])),
      ),
      witness: whereabouts.witness,
    });
    const suspects = audit.suspects.flatMap((suspect) => {
      if (!ids.includes(suspect.id)) return [suspect];
      const mustCheckAgain = isUnclear(whereabouts, suspect.id) || unclear.has(suspect.id);
      return mustCheckAgain ? [{ ...suspect, lookAtMs: nowMs + CONFIRM_AFTER_MS }] : [];
    });
    return {
      forgotten,
      audit: { ...audit, suspects, ...(whereabouts.witness && { witness: whereabouts.witness }) },
    };
  });
}

function isSeenLongAgo({ seenAtMs }: Suspect, nowMs: number): boolean {
  return nowMs >= seenAtMs + CONFIRM_AFTER_MS;
}

function isUnclear({ living, archived, gone }: Whereabouts, id: string): boolean {
  return !living.has(id) && !archived.has(id) && !gone.has(id);
}

type AuditedContact = Pick<RecordState, 'id' | 'archivedSeenMs'>;
type CheckedCounts = Omit<DeletionCounts, 'forgotten'>;

const NOTHING: CheckedCounts = { audited: 0, gone: 0, unclear: 0 };

/** Checks the next part of the pass. */
async function checkNextPart(services: DeletionAuditServices): Promise<CheckedCounts> {
  let checked = NOTHING;
  await continuePass<readonly AuditedContact[], DeletionAudit>(services, {
    name: 'deletions',
    stored: ({ deletions }) => deletions,
    places: RECORD_PLACES,
    everyMs: PASS_EVERY_MS,
    recordsAtOnce: RECORDS_IN_A_PART,
    empty: [],
    add: (contacts, { objectType, id, mergedInto, forgottenAtMs, archivedSeenMs }) => {
      const isAudited =
        isAboutPerson({ objectType }) && mergedInto === undefined && forgottenAtMs === undefined;
      return isAudited
        ? [...contacts, { id, ...(archivedSeenMs !== undefined && { archivedSeenMs }) }]
        : contacts;
    },
    keep: async ({ sum: contacts, ...position }, before = NEVER) => {
      checked = NOTHING;
      if (before.suspects.length >= MAX_SUSPECTS) return { deletions: before };
      const { begunMs: _begun, at: _at, ...rest } = before;
      let audit: DeletionAudit = { ...rest, ...position };
      for (const chunk of inChunks(contacts, CONTACTS_IN_A_CHECK)) {
        // The part is repeated when HubSpot has requests left for this audit.
        if ((await services.crm.pausedUntil('bulk')) !== undefined) return { deletions: before };
        const ids = chunk.map(({ id }) => id);
        const whereabouts = await findWhereabouts(services, { ids, witness: audit.witness });
        await storePlaces(services, chunk, whereabouts);
        audit = withSuspects(audit, { ids, where: whereabouts, nowMs: services.clock.now() });
        checked = withChecked(checked, { ids, where: whereabouts });
      }
      return { deletions: audit };
    },
  });
  return checked;
}

/**
 * Stores which contacts are in HubSpot's archive. A person deleted such a contact, and HubSpot removes it after 90
 * days.
 */
async function storePlaces(
  services: DeletionAuditServices,
  contacts: readonly AuditedContact[],
  { living, archived }: Whereabouts,
): Promise<void> {
  const nowMs = services.clock.now();
  for (const { id, archivedSeenMs } of contacts) {
    const place = living.has(id) ? 'living' : archived.has(id) ? 'archived' : undefined;
    if (place === undefined || (place === 'archived') === (archivedSeenMs !== undefined)) continue;
    await changeRecord(services, { objectType: 'contacts', id }, (state): { state?: RecordState } => {
      const found = foundAt(state, { place, nowMs });
      return found === state ? {} : { state: found };
    });
  }
}

interface CheckedContacts {
  readonly ids: readonly string[];
  readonly where: Whereabouts;
}

function withSuspects(
  audit: DeletionAudit,
  { ids, where, nowMs }: CheckedContacts & { readonly nowMs: number },
): DeletionAudit {
  const { witness = audit.witness, gone } = where;
  const remaining = audit.suspects.filter(
    ({ id }) => !ids.includes(id) || gone.has(id) || isUnclear(where, id),
  );
  const known = new Set(remaining.map(({ id }) => id));
  const newSuspects = [...gone]
    .filter((id) => !known.has(id))
    .map((id) => ({ id, seenAtMs: nowMs, lookAtMs: nowMs + CONFIRM_AFTER_MS }));
  return { ...audit, ...(witness !== undefined && { witness }), suspects: [...remaining, ...newSuspects] };
}

function withChecked(
  { audited, gone, unclear }: CheckedCounts,
  { ids, where }: CheckedContacts,
): CheckedCounts {
  return {
    audited: audited + ids.length,
    gone: gone + where.gone.size,
    unclear: unclear + ids.filter((id) => isUnclear(where, id)).length,
  };
}
