import type { StoredRecord } from '../../../../infra/sandbox/hubspot/state.ts';
import type { Evidence } from './evidence.ts';
import { readCsv } from './ledger-rows.ts';

const MINUTE_MS = 60_000;
/** Time until earlier admitted records are done. */
const ON_THE_WAY_MS = 3 * MINUTE_MS;
/** Time until a request arrives, and the current worker of its record is done. */
const TOLD_MS = 12 * MINUTE_MS;
/** Tolerance for clocks that differ. */
const SKEW_MS = 2 * 24 * 60 * MINUTE_MS;
/** Most imports that may be looked up while a lead waits. */
const FEW = 4;
/** Number of turns to judge. One in ten, at random, goes to the oldest, so at most half of these. */
const ENOUGH = 8;

/** Purpose and time of a record's first lookup. */
interface Turn {
  readonly record: StoredRecord;
  readonly purpose: string;
  readonly atMs: number;
}

/** Requests and leads go before imports, and of the imports the newest first. */
export function turnFaults(evidence: Evidence): string[] {
  const turns = turnsIn(evidence);
  const wrong = turns.flatMap((turn) => wrongPurpose(evidence, turn));
  return evidence.agreed.isUndisturbed ? [...wrong, ...overtakenLeads(turns), ...oldestFirst(turns)] : wrong;
}

function turnsIn({ told, hubSpot }: Evidence): Turn[] {
  return readCsv(told.ledger).flatMap(({ kind, record: name = '', purpose = '', time = '' }) => {
    const [type, id = ''] = name.split('#');
    const record = hubSpot.records[type === 'contacts' ? '0-1' : '0-2'][id];
    return kind === 'pending' && record ? [{ record, purpose, atMs: Date.parse(time) }] : [];
  });
}

function wrongPurpose({ agreed }: Evidence, { record, purpose, atMs }: Turn): string[] {
  const { id, history, source } = record;
  const entries = Object.values(history).flat();
  const isOurs = (sourceId: string) => sourceId === String(agreed.appId);
  const isTouched = entries.some(
    ({ sourceType, sourceId, timestamp }) =>
      sourceType !== 'IMPORT' && !isOurs(sourceId) && timestamp <= atMs + SKEW_MS,
  );
  if (purpose === 'live' && source.type === 'IMPORT' && !isTouched)
    return [`${id} came with an import and was asked about as a lead`];
  if (purpose !== 'import') return [];
  if (source.type !== 'IMPORT') return [`${id} is a lead and was asked about as an import`];
  const requests = history['enrichment_requested'] ?? [];
  const isAskedFor = requests.some(({ value, timestamp }) => value === 'true' && timestamp < atMs - TOLD_MS);
  return isAskedFor ? [`${id} was asked about as an import after somebody had asked for it`] : [];
}

function overtakenLeads(turns: readonly Turn[]): string[] {
  const imports = turns.filter(({ purpose }) => purpose === 'import');
  return turns.flatMap(({ record: { id, createdAt }, purpose, atMs }) => {
    if (purpose !== 'live') return [];
    const before = imports.filter((one) => one.atMs > createdAt + ON_THE_WAY_MS && one.atMs < atMs);
    return before.length > FEW ? [`${before.length} imports went before ${id}, a lead`] : [];
  });
}

/** If old and new records wait together, most turns go to the new ones. */
function oldestFirst(turns: readonly Turn[]): string[] {
  const imports = turns.filter(({ purpose }) => purpose === 'import');
  const isNewest = imports.flatMap((turn) => {
    const waiting = imports.filter(
      ({ record, atMs }) => atMs >= turn.atMs && record.createdAt < turn.atMs - ON_THE_WAY_MS,
    );
    const times = waiting.map(({ record }) => record.createdAt);
    const newestMs = Math.max(...times);
    const isMixed = times.length > 0 && Math.min(...times) < newestMs - MINUTE_MS;
    return isMixed ? [turn.record.createdAt > newestMs - MINUTE_MS] : [];
  });
  const old = isNewest.filter((each) => !each).length;
  const isTooMuch = isNewest.length >= ENOUGH && old > isNewest.length / 2;
  return isTooMuch ? ['of what was imported the oldest went first'] : [];
}
