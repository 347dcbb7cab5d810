import type { CreatedRecord } from '#shared/crm/crm.ts';
import type { ObjectType } from '#shared/crm/crm-record.ts';
import { purposeOfSource } from '#shared/crm/purpose.ts';
import { MINUTE_MS } from '#shared/kernel/clock.ts';
import { changeRecord } from '#shared/records/change-record.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import { afterPage, nextWindow } from '#shared/records/sweep-cursor.ts';
import { openWaiting } from '#shared/records/transitions.ts';
import { change } from '#shared/versioned-items/change.ts';
import type { ReconcileServices } from './services.ts';

/** One page of HubSpot's search. */
const PAGE = 200;
/** A webhook deserves the first chance. */
const DELAY_MS = MINUTE_MS;

/** Most pages that one sweep looks through; the next one goes on where it ended. */
const MAX_PAGES = 25;

/** The records created since the installation; those that nobody told of get a run, and wait for their turn. */
export async function sweepCreated(services: ReconcileServices, objectType: ObjectType): Promise<number> {
  if ((await services.crm.pausedUntil('bulk')) !== undefined) return 0;
  let found = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await sweepPage(services, objectType);
    found += page.found;
    if (!page.full) break;
  }
  return found;
}

/** Where another sweep came between, it has looked at the same page, and this one goes on where that one ended. */
async function sweepPage(
  services: ReconcileServices,
  objectType: ObjectType,
): Promise<{ readonly found: number; readonly full: boolean }> {
  const { installedAtMs, clock, cursors, crm } = services;
  let found = 0;
  const item = { key: `sweep#${objectType}`, kind: "sweep's cursor", clock };
  const { full } = await change(cursors, item, async (cursor) => {
    const window = nextWindow(cursor, { installedAtMs, toMs: clock.now() - DELAY_MS });
    if (!window) return { full: false };
    const created = await crm.createdBetween({ objectType, ...window, limit: PAGE });
    found += await openAll(services, objectType, created);
    const full = created.length === PAGE;
    return { full, value: afterPage(window, { lastId: created.at(-1)?.id, full, installedAtMs }) };
  });
  return { found, full };
}

/** @returns how many of them nobody had told of. */
async function openAll(
  services: ReconcileServices,
  objectType: ObjectType,
  created: readonly CreatedRecord[],
): Promise<number> {
  const opened = await Promise.all(created.map((one) => openUnknown(services, objectType, one)));
  return opened.filter(({ state }) => state).length;
}

function openUnknown(
  services: ReconcileServices,
  objectType: ObjectType,
  { id, source }: CreatedRecord,
): Promise<{ state?: RecordState }> {
  const nowMs = services.clock.now();
  return changeRecord(services, { objectType, id }, (state): { state?: RecordState } => {
    const isKnown = state.runsOpened > 0 || state.forgottenAtMs !== undefined;
    if (isKnown || state.mergedInto !== undefined) return {};
    const purpose = purposeOfSource(source);
    const runId = services.newId();
    return { state: openWaiting(state, { runId, purpose, nowMs, untilMs: nowMs, reason: 'queued' }) };
  });
}
