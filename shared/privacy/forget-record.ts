import { isAboutPerson, OBJECT_TYPES, type RecordName, recordKey } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import type { ForgetServices } from '#shared/questions';
import {
  because,
  changeRecord,
  endOpenRun,
  type Journal,
  newRecordState,
  type RecordItems,
  type RecordState,
  recordKind,
} from '#shared/records';
import type { Reviews } from '#shared/review';

export const FORGOTTEN_REASON = because('forgotten');

export interface ForgetRecordServices {
  readonly records: RecordItems;
  readonly journal: Pick<Journal, 'purge'>;
  readonly reviews: Pick<Reviews, 'purge'>;
  readonly clock: Clock;
}

/** Builds the services that erase a person's data, over the stores of the gateway and the records. */
export function createForgetting(
  services: Omit<ForgetServices, 'forgetRecord'> & ForgetRecordServices,
): ForgetServices {
  return { ...services, forgetRecord: (recordKey) => forgetRecord(services, recordKey) };
}

/**
 * Erases everything about a record, and about the records merged with it, except counts and a tombstone. Erases the
 * state first, so that no worker continues. Then erases the journal's values and the review items. It can be repeated.
 * @param key `contacts#123`
 * @returns the known identifiers of its person.
 */
export function forgetRecord(services: ForgetRecordServices, key: string): Promise<readonly string[]> {
  return identifiersThrough(key, (record) => forgetOne(services, record));
}

/** Returns the identifiers that `forgetRecord` would return. Changes nothing. */
export function readIdentifiers(records: Pick<RecordItems, 'read'>, key: string): Promise<readonly string[]> {
  return identifiersThrough(key, async (record) => (await records.read(recordKind.key(record)))?.value);
}

async function identifiersThrough(
  key: string,
  visit: (record: RecordName) => Promise<RecordState | undefined>,
): Promise<readonly string[]> {
  const identifiers = new Set<string>();
  const keys = new Set([key]);
  for (const currentKey of keys) {
    const record = parseRecordKey(currentKey);
    if (!record) continue;
    const state = await visit(record);
    for (const identifier of state ? identifiersOf(state) : []) identifiers.add(identifier);
    for (const id of relatedTo(state)) keys.add(recordKey({ ...record, id }));
  }
  return [...identifiers];
}

/** Parses `contacts#123`. */
export function parseRecordKey(key: string): RecordName | undefined {
  const [type, id, ...rest] = key.split('#');
  const objectType = OBJECT_TYPES.find((each) => each === type);
  return objectType && id && rest.length === 0 ? { objectType, id } : undefined;
}

async function forgetOne(
  services: ForgetRecordServices,
  record: RecordName,
): Promise<RecordState | undefined> {
  const nowMs = services.clock.now();
  const forget = (known: RecordState) =>
    known.forgottenAtMs === undefined ? { known, state: forgottenState(known, nowMs) } : { known };
  const { known } = await changeRecord(services, record, forget, { isForgetting: true });
  await services.journal.purge(record, { runs: known.runsOpened, nowMs });
  await services.reviews.purge(record, known.run !== undefined);
  return known;
}

/**
 * Builds the tombstone. Keeps the counts and a backfill's costs. Also keeps the hashes, so that an interrupted erasure
 * can start from them again.
 */
function forgottenState(state: RecordState, nowMs: number): RecordState {
  const { objectType, id, runsOpened, run } = state;
  const { mergedInto, mergedFrom } = state;
  const identifiers = identifiersOf(state);
  const credits = run?.credits ?? 0;
  const { creditsSpent, doubts, outcomes, backfills } = endOpenRun(state, {
    reason: FORGOTTEN_REASON,
    nowMs,
  });
  return {
    ...newRecordState(objectType, id),
    runsOpened,
    creditsSpent,
    ...(doubts && { doubts }),
    outcomes,
    ...(backfills && { backfills }),
    outcome: { kind: 'skipped', reason: FORGOTTEN_REASON, atMs: nowMs, credits },
    ...(identifiers.length > 0 && { identifiers }),
    ...(mergedInto !== undefined && { mergedInto }),
    ...(mergedFrom && { mergedFrom }),
    forgottenAtMs: nowMs,
  };
}

/**
 * Returns the identifiers. The key of an answered question about a contact counts as an identifier, even if the state
 * has no others.
 */
function identifiersOf({ objectType, identifiers = [], answeredQuestion, run }: RecordState): string[] {
  const answered = [answeredQuestion, run?.answeredQuestion].filter((key) => key !== undefined);
  return [...new Set([...identifiers, ...(isAboutPerson({ objectType }) ? answered : [])])];
}

function relatedTo(state: RecordState | undefined): string[] {
  return [...(state?.mergedInto === undefined ? [] : [state.mergedInto]), ...(state?.mergedFrom ?? [])];
}
