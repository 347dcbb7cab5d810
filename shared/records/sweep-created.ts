import {
  askerOfSource,
  type CreatedRecord,
  type Crm,
  type ObjectType,
  purposeOfSource,
  type SweepWindow,
} from '#shared/crm';
import { type Clock, MINUTE_MS, mapInChunks, type NewId } from '#shared/kernel';
import { change } from '#shared/store';
import { changeRecord, type RecordItems } from './change-record.ts';
import { openWaiting } from './later-runs.ts';
import { hasWebhookEvent } from './record-state.ts';
import type { RecordState, SweepCursor } from './schemas.ts';
import { type StatusItems, statusKind } from './stored-kinds.ts';

/** Page size of HubSpot's search. */
const PAGE = 200;

/** Minimum age of a record. It leaves time for the webhook, which usually arrives first. */
const DELAY_MS = MINUTE_MS;

/** Maximum number of pages in one sweep. The next sweep continues after the last page. */
const MAX_PAGES = 25;

interface CreatedServices {
  readonly crm: Pick<Crm, 'pausedUntil' | 'createdBetween'>;
  readonly records: RecordItems;
  readonly status: StatusItems;
  readonly installedAtMs: number;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Finds the records created after the installation. Records that no webhook reported get a run and are queued.
 * @param queued number of messages on all queues together.
 * @returns the number of runs opened.
 */
export async function sweepCreated(
  services: CreatedServices,
  objectType: ObjectType,
  { queued }: { readonly queued: number },
): Promise<number> {
  if ((await services.crm.pausedUntil('bulk')) !== undefined) return 0;
  let found = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await sweepPage(services, objectType, queued);
    found += page.found;
    if (!page.full) break;
  }
  return found;
}

/** Reads one page. If a concurrent sweep stored its cursor first, this sweep continues from that cursor. */
async function sweepPage(
  services: CreatedServices,
  objectType: ObjectType,
  queued: number,
): Promise<{ readonly found: number; readonly full: boolean }> {
  const { installedAtMs, clock, status, crm } = services;
  let found = 0;
  const item = { key: statusKind.key(`created#${objectType}`), kind: "sweep's cursor", clock };
  const { full } = await change(status, item, async (known) => {
    const cursor = known?.created;
    const window = nextWindow(cursor, { installedAtMs, toMs: clock.now() - DELAY_MS });
    if (!window) return { full: false };
    const created = await crm.createdBetween({ objectType, ...window, limit: PAGE });
    const checked = await mapInChunks(created, (record) => openUnknown(services, objectType, record));
    const opened = checked.filter(({ state }) => state).length;
    found += opened;
    // If a late webhook reported its record, webhooks work.
    const isReported = checked.some(({ kind }) => kind === 'reported');
    // While messages are queued, they may include the webhooks of these records.
    const unreported = isReported || queued > 0 ? 0 : (cursor?.unreported ?? 0) + opened;
    const full = created.length === PAGE;
    const page = { lastId: created.at(-1)?.id, full, installedAtMs, unreported };
    return { full, value: { created: afterPage(window, page) } };
  });
  return { found, full };
}

interface Opened {
  readonly kind: 'unknown' | 'reported' | 'known';
  /** Set for a record that no webhook reported. */
  readonly state?: RecordState;
}

function openUnknown(
  services: CreatedServices,
  objectType: ObjectType,
  { id, source }: CreatedRecord,
): Promise<Opened> {
  const nowMs = services.clock.now();
  return changeRecord(services, { objectType, id }, (state): Opened => {
    const isKnown = state.runsOpened > 0 || state.forgottenAtMs !== undefined;
    if (isKnown || state.mergedInto !== undefined)
      return { kind: hasWebhookEvent(state) ? 'reported' : 'known' };
    const purpose = purposeOfSource(source);
    const runId = services.newId();
    const askedBy = source === '' ? 'sweep' : askerOfSource(source);
    const opening = { runId, purpose, askedBy, nowMs, untilMs: nowMs, reason: 'queued' } as const;
    return { kind: 'unknown', state: openWaiting(state, opening) };
  });
}

/**
 * HubSpot's search may show a new record minutes late. So each window begins this time before the end of the last
 * window.
 */
const OVERLAP_MS = 10 * 60_000;

/** Returns the window of the next page; `undefined` while no new time is to be checked. */
export function nextWindow(
  cursor: SweepCursor | undefined,
  bounds: { installedAtMs: number; toMs: number },
): SweepWindow | undefined {
  const fromMs = cursor?.fromMs ?? bounds.installedAtMs;
  if (cursor?.window) return { fromMs, ...cursor.window };
  return bounds.toMs > fromMs ? { fromMs, toMs: bounds.toMs } : undefined;
}

interface SweptPage {
  readonly lastId: string | undefined;
  readonly full: boolean;
  readonly installedAtMs: number;
  /** Number of consecutive unreported records, including those of the previous page. */
  readonly unreported?: number;
}

/** Returns the cursor after a page. `full` means that the window may hold more records. */
export function afterPage(window: SweepWindow, page: SweptPage): SweepCursor {
  const { full, lastId, installedAtMs, unreported = 0 } = page;
  const counted = unreported > 0 && { unreported };
  if (full && lastId)
    return { fromMs: window.fromMs, window: { toMs: window.toMs, afterId: lastId }, ...counted };
  return { fromMs: Math.max(installedAtMs, window.fromMs, window.toMs - OVERLAP_MS), ...counted };
}
