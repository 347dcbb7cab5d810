import type { CrmAttempt } from '#shared/crm';
import { createMark, type LastWritten } from '#shared/field-policy';
import { SECOND_MS } from '#shared/kernel';
import { type Change, changeRecord, type JournalEntry, type RecordState } from '#shared/records';
import type { RecordClaim } from '../services.ts';
import { fatesOfRun, WRITE_LIFETIME_MS } from '../write-back/recover.ts';
import {
  type PlannedUndo,
  planUndo,
  type UndoReport,
  type UndoRequest,
  type UndoServices,
} from './plan-undo.ts';

export interface Undoing {
  readonly services: UndoServices;
  readonly held: RecordClaim;
  readonly request: UndoRequest;
  /** No attempt and no wait goes on after this, epoch milliseconds. */
  readonly untilMs: number;
  /** By property, what is known to be back. */
  readonly sent: Map<string, { readonly from: string; readonly to: string | null }>;
}

export interface UndoWritten {
  /** As the last attempt found the record. */
  readonly planned: PlannedUndo;
  /** Why HubSpot did not take what is not in `sent`. */
  readonly failure?: string | undefined;
}

const MAX_ATTEMPTS = 4;
const BACKOFF_MS = 2 * SECOND_MS;

/**
 * Each attempt plans anew over what is there by then. Where the end of one is unknown, HubSpot's history says what
 * became of it when its time is over, and what it took from somebody is brought back.
 */
export async function restoreGuarded(undoing: Undoing): Promise<UndoWritten | 'busy' | 'forgotten'> {
  const { services, held, untilMs } = undoing;
  let openUntilMs: number | undefined;
  for (let made = 1; ; made += 1) {
    const planned = await planUndo(services, held.state, undoing.request);
    if (planned.report.restored.length === 0) return withLookUp(undoing, { planned, openUntilMs });
    const announced = await announce(undoing, planned);
    if (announced !== 'announced') return announced;
    const sentAtMs = services.clock.now();
    const attempt = await services.crm.write({
      objectType: held.objectType,
      writes: [writeOf(held, planned)],
    });
    if (attempt.kind === 'answered') {
      const failure = await note(undoing, planned, attempt);
      // HubSpot failed at this record, and may have written it all the same.
      if (attempt.results[0]?.kind === 'postponed') openUntilMs = sentAtMs + WRITE_LIFETIME_MS;
      return withLookUp(undoing, { planned, failure, openUntilMs });
    }
    const { error, mayHaveArrived } = attempt;
    if (mayHaveArrived) openUntilMs = sentAtMs + WRITE_LIFETIME_MS;
    const waitMs = error.retryAfterMs ?? BACKOFF_MS * 2 ** (made - 1);
    const isOver = services.clock.now() + waitMs + WRITE_LIFETIME_MS > untilMs;
    if (!error.retryable || made >= MAX_ATTEMPTS || isOver)
      return withLookUp(undoing, { planned, failure: error.code, openUntilMs });
    await services.clock.sleep(waitMs);
  }
}

/** @returns why HubSpot refused it; `undefined` when it is written. */
async function note(
  { services, held, sent }: Undoing,
  planned: PlannedUndo,
  { results }: Extract<CrmAttempt, { kind: 'answered' }>,
): Promise<string | undefined> {
  const [result] = results;
  const run = held.state.runsOpened;
  const { properties } = writeOf(held, planned);
  if (result?.kind === 'written') {
    await services.journal.confirm(held, run, { stored: { ...properties, ...result.properties } });
    for (const { property, from, to } of planned.report.restored) sent.set(property, { from, to });
    return undefined;
  }
  if (result?.kind === 'refused')
    await services.journal.confirm(held, run, { refused: Object.keys(properties) });
  return result?.reason ?? 'UNCONFIRMED';
}

async function withLookUp(
  undoing: Undoing,
  { openUntilMs, ...written }: UndoWritten & { readonly openUntilMs: number | undefined },
): Promise<UndoWritten> {
  if (openUntilMs === undefined) return written;
  const { services, held, sent } = undoing;
  await services.clock.sleep(Math.max(0, openUntilMs - services.clock.now()));
  const { definitions } = written.planned;
  const stored: Record<string, string> = {};
  const taken = new Map<string, { by: string; lost: string }>();
  for (const [change, fate] of await fatesOfRun(services, { held, definitions })) {
    const { property, before, after } = change;
    if (fate.kind === 'arrived' || fate.kind === 'overwrote') stored[property] = fate.value;
    if (fate.kind === 'arrived') sent.set(property, { from: before ?? '', to: after === '' ? null : after });
    if (fate.kind === 'overwrote') taken.set(property, { by: fate.value, lost: fate.lost });
  }
  await services.journal.confirm(held, held.state.runsOpened, { stored });
  for (const property of taken.keys()) sent.delete(property);
  if (taken.size > 0) await giveBack(undoing, taken);
  return written;
}

/** @throws UpstreamError when HubSpot does not take it: the claim lapses, and the next worker does it. */
async function giveBack(
  { services, held, request }: Undoing,
  taken: ReadonlyMap<string, { by: string; lost: string }>,
): Promise<void> {
  const { objectType, id } = held;
  const { records } = await services.crm.read({ objectType, ids: [id], properties: [...taken.keys()] });
  const current = records.get(id)?.properties ?? {};
  const back = [...taken].filter(([property, { by }]) => (current[property] ?? '') === by);
  if (back.length === 0) return;
  const changes = back.map(
    ([property, { by, lost }]): Change => ({ property, before: by, after: lost, state: 'planned' }),
  );
  const reason = 'Brought back what somebody wrote while it was undone.';
  if (
    (await services.journal.plan(entryOf({ services, held, request }, { changes, reason }))) === 'forgotten'
  )
    return;
  const properties = Object.fromEntries(back.map(([property, { lost }]) => [property, lost]));
  const attempt = await services.crm.write({ objectType, writes: [{ id, properties }] });
  if (attempt.kind === 'failed') throw attempt.error;
  if (attempt.results[0]?.kind === 'written')
    await services.journal.confirm(held, held.state.runsOpened, { stored: properties });
}

/**
 * Before the write: cut off after it, the next run must not fill in again what was taken back.
 * @returns why nothing may be written, where the record is not ours any more.
 */
async function announce(
  { services, held, request }: Undoing,
  planned: PlannedUndo,
): Promise<'announced' | 'busy' | 'forgotten'> {
  const owner = held.state.claim?.owner;
  const { restored } = planned.report;
  const marks = marksOf(services, { restored, definitions: planned.definitions });
  const { lost } = await changeRecord(services, held, (state): { lost?: RecordState; state?: RecordState } =>
    state.claim?.owner === owner
      ? { state: { ...state, pinned: { ...state.pinned, ...marks } } }
      : { lost: state },
  );
  if (lost) return lost.forgottenAtMs === undefined ? 'busy' : 'forgotten';
  const changes = restored.map(
    ({ property, from, to }): Change => ({ property, before: from, after: to ?? '', state: 'planned' }),
  );
  const journalled = await services.journal.plan(
    entryOf({ services, held, request }, { changes, reason: reasonOf(restored) }),
  );
  return journalled === 'planned' ? 'announced' : 'forgotten';
}

export function marksOf(
  { digest }: Pick<UndoServices, 'digest'>,
  { restored, definitions }: Pick<UndoReport, 'restored'> & Pick<PlannedUndo, 'definitions'>,
): LastWritten {
  const mark = createMark({ definitions, hash: digest.keyed });
  return Object.fromEntries(restored.map(({ property, to }) => [property, mark(property, to)]));
}

export function reasonOf(restored: UndoReport['restored']): string {
  const names = restored.map(({ property }) => property);
  return names.length === 0 ? 'Nothing was left to undo.' : `Undone: ${names.join(', ')}.`;
}

function writeOf({ id }: RecordClaim, { report, definitions }: PlannedUndo) {
  const back = report.restored.map(({ property, to }): [string, string] => [property, to ?? '']);
  const told: [string, string][] = definitions.has('enrichment_reason')
    ? [['enrichment_reason', reasonOf(report.restored)]]
    : [];
  return { id, properties: Object.fromEntries([...back, ...told]) };
}

function entryOf(
  { services: { policy, clock }, held, request }: Pick<Undoing, 'services' | 'held' | 'request'>,
  { changes, reason }: Pick<JournalEntry, 'changes' | 'reason'>,
): JournalEntry {
  const { objectType, id, state, run } = held;
  const nowMs = clock.now();
  return {
    ...{ objectType, id, reason, changes, kind: 'undo', purpose: 'manual', outcome: 'unchanged' },
    ...{ run: state.runsOpened, policyVersion: policy.version, atMs: nowMs, sentAtMs: nowMs },
    eventKeys: request.eventKey === undefined ? [] : [request.eventKey],
    credits: run.credits,
  };
}
