import { MINUTE_MS } from '../../shared/kernel/clock.ts';
import { changeRecord } from '../../shared/records/change-record.ts';
import type { ObjectType } from '../../shared/records/crm-record.ts';
import type { RecordState } from '../../shared/records/record-state.ts';
import { afterPage, nextWindow } from '../../shared/records/sweep-cursor.ts';
import { openWaiting } from '../../shared/records/transitions.ts';
import type { ReconcileDeps } from './deps.ts';
import { REQUEUE_AFTER_MS } from './requeue.ts';

/** One page of HubSpot's search. */
const PAGE = 200;
/** A webhook deserves the first chance. */
const DELAY_MS = MINUTE_MS;

/** Most pages that one sweep looks through; the next one goes on where it ended. */
const MAX_PAGES = 25;

/** The records created since the installation; those that nobody told of get a run and a message. */
export async function sweepCreated(deps: ReconcileDeps, objectType: ObjectType): Promise<number> {
  if ((await deps.crm.pausedUntil('bulk')) !== undefined) return 0;
  let found = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await sweepPage(deps, objectType);
    found += page.found;
    if (!page.full) break;
  }
  return found;
}

async function sweepPage(
  deps: ReconcileDeps,
  objectType: ObjectType,
): Promise<{ readonly found: number; readonly full: boolean }> {
  const { installedAtMs, clock, cursors, crm } = deps;
  const key = `sweep#${objectType}`;
  const stored = await cursors.read(key);
  const window = nextWindow(stored?.value, { installedAtMs, toMs: clock.now() - DELAY_MS });
  if (!window) return { found: 0, full: false };
  const ids = await crm.createdBetween({ objectType, ...window, limit: PAGE });
  const opened = await Promise.all(ids.map((id) => openUnknown(deps, objectType, id)));
  const found = opened.flatMap(({ state }) => (state ? [state] : []));
  await deps.liveQueue.send(found.map(({ id }) => ({ objectType, id, purpose: 'live', eventKeys: [] })));
  const value = afterPage(window, { lastId: ids.at(-1), full: ids.length === PAGE, installedAtMs });
  // Another sweep that came between has looked at the same page: its cursor is as good as ours.
  await cursors.write({ key, value, expectedVersion: stored?.version ?? 0 });
  return { found: found.length, full: ids.length === PAGE };
}

function openUnknown(
  deps: ReconcileDeps,
  objectType: ObjectType,
  id: string,
): Promise<{ state?: RecordState }> {
  const nowMs = deps.clock.now();
  return changeRecord(deps.records, { objectType, id }, (state): { state?: RecordState } => {
    const isKnown = state.runsOpened > 0 || state.forgottenAtMs !== undefined;
    if (isKnown || state.mergedInto !== undefined) return {};
    const untilMs = nowMs + REQUEUE_AFTER_MS;
    const runId = deps.newId();
    return {
      state: openWaiting(state, { runId, purpose: 'live', nowMs, untilMs, reason: 'found-by-sweep' }),
    };
  });
}
