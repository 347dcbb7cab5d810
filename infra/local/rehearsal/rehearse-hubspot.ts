import { join } from 'node:path';
import { type Clock, counted, type NewId, SECOND_MS, UpstreamError } from '#shared/kernel';
import { holdFolder } from '../announce.ts';
import {
  type AccountAccess,
  findMarked,
  type Owned,
  type OwnRecord,
  openAccount,
  openOwnRecords,
  removeOwn,
  StepStopped,
  TokenRefused,
  type WriteAccount,
} from './account.ts';
import { type AssumptionVerdict, notSeen, notSeenWith } from './assumption.ts';
import type { Deliveries, RehearsalStep, Stage } from './stage.ts';

/** Number of searches for records whose creation was cut off. HubSpot's search can lag behind. */
const CLEAN_PASSES = 10;
const CLEAN_PAUSE_MS = 6 * SECOND_MS;

/** Number of reads until a removed record must be gone. HubSpot can still return it for a moment. */
const REMOVAL_LOOKS = 5;
const REMOVAL_PAUSE_MS = 2 * SECOND_MS;

export interface Rehearsal {
  readonly access: AccountAccess;
  readonly accountId: string;
  readonly deliveries: Deliveries | undefined;
  readonly askPerson?: Stage['askPerson'];
  readonly newId: NewId;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Called before each step with the number of finished steps, and after the last step. */
  readonly progress?: (done: number, step: RehearsalStep | undefined) => void;
}

interface StepReport {
  readonly step: string;
  readonly tookMs: number;
  readonly observations: Readonly<Record<string, AssumptionVerdict>>;
}

interface HubSpotRehearsed {
  readonly startedAtMs: number;
  readonly steps: readonly StepReport[];
}

/** The rehearsal could not remove all records that it created. The message is a sentence that says what remains. */
export class LeftBehind extends Error {
  /** Number of records; `undefined` if the answer to a creation was lost. */
  readonly records: number | undefined;
  readonly reason: string | undefined;

  constructor(records: number | undefined, reason: string | undefined, cause?: unknown) {
    const remains =
      records === undefined
        ? 'A record may remain in HubSpot, because its creation was not answered'
        : `${counted(records, 'record')} of the rehearsal ${records === 1 ? 'remains' : 'remain'} in HubSpot`;
    super(`${remains}${reason === undefined ? '' : ` (${reason})`}.`, { cause });
    this.records = records;
    this.reason = reason;
  }
}

/**
 * Removes what an interrupted rehearsal left, then runs the steps. At the end of a step its records are removed, even
 * if the step fails or the signal is aborted.
 */
export async function rehearseHubSpot(
  rehearsal: Rehearsal,
  steps: readonly RehearsalStep[],
): Promise<HubSpotRehearsed> {
  const { access, newId, signal, progress } = rehearsal;
  const account = openAccount(access, signal);
  const startedAtMs = access.clock.now();
  // A part of all names that this rehearsal makes up. HubSpot may block addresses that were deleted for privacy.
  const run = newId().replaceAll('-', '').slice(0, 12);
  await removeMarked(access, 1);
  const reports: StepReport[] = [];
  for (const [index, step] of steps.entries()) {
    progress?.(index, step);
    reports.push(await playStep(rehearsal, { account, step, run }));
  }
  progress?.(steps.length, undefined);
  return { startedAtMs, steps: reports };
}

async function playStep(
  rehearsal: Rehearsal,
  { account, step, run }: { account: WriteAccount; step: RehearsalStep; run: string },
): Promise<StepReport> {
  const { access, deliveries, askPerson, say, signal } = rehearsal;
  const { clock } = access;
  const startedMs = clock.monotonic();
  const owned: Owned = { records: [], isCreating: false };
  const observations: Record<string, AssumptionVerdict> = {};
  let why: AssumptionVerdict = notSeen('step-ended');
  try {
    const records = openOwnRecords({ account, owned }, run);
    const note = (assumption: string, observation: AssumptionVerdict) => {
      observations[assumption] = observation;
    };
    const noteOthers = (observation: AssumptionVerdict) => {
      why = observation;
    };
    await step.run({ account, records, deliveries, askPerson, say, clock, signal, note, noteOthers });
  } catch (error) {
    // In both cases, no request is left whose answer is unknown.
    if (error === signal?.reason || error instanceof TokenRefused) owned.isCreating = false;
    signal?.throwIfAborted();
    if (error instanceof TokenRefused) throw error;
    // A refusal or a missing answer of HubSpot is an observation. A bug of ours is not.
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    why = notSeenWith('step-stopped', { reason });
  } finally {
    await removeAndCheck(access, owned.records);
    // The answer to a creation was lost.
    if (owned.isCreating) await removeMarked(access, CLEAN_PASSES).catch(leftInDoubt);
  }
  for (const id of Object.keys(step.assumptions)) observations[id] ??= why;
  return { step: step.name, tookMs: Math.round(clock.monotonic() - startedMs), observations };
}

/** Keys of records, such as `contacts/17`. */
type Removed = ReadonlySet<string>;

/**
 * Removes the records. A stop does not interrupt the requests.
 * @returns the records that existed
 * @throws LeftBehind
 */
async function removeAndCheck(access: AccountAccess, records: readonly OwnRecord[]): Promise<Removed> {
  const removed = new Set<string>();
  if (records.length === 0) return removed;
  try {
    const account = openAccount(access);
    for (let look = 1; ; look += 1) {
      const { found, left } = await removeOwn(account, records);
      for (const { objectType, id } of found) removed.add(`${objectType}/${id}`);
      if (left.length === 0) return removed;
      if (look === REMOVAL_LOOKS) throw new LeftBehind(left.length, undefined);
      await access.clock.sleep(REMOVAL_PAUSE_MS);
    }
  } catch (cause) {
    const reason = reasonOf(cause);
    if (reason === undefined) throw cause;
    throw new LeftBehind(records.length, reason, cause);
  }
}

function leftInDoubt(cause: unknown): never {
  const reason = reasonOf(cause);
  if (reason === undefined) throw cause;
  throw new LeftBehind(undefined, reason, cause);
}

/** Returns HubSpot's refusal or missing answer, in codes; `undefined` for a bug of ours. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof StepStopped) return error.message;
  return error instanceof UpstreamError ? error.code : undefined;
}

/**
 * Removes all records that interrupted rehearsals left in this account. Looks for about a minute.
 * @returns the number of records that existed
 */
export async function cleanHubSpot(access: AccountAccess): Promise<number> {
  return (await removeMarked(access, CLEAN_PASSES)).size;
}

async function removeMarked(access: AccountAccess, passes: number): Promise<Removed> {
  let removed: Removed = new Set();
  for (let pass = 1; ; pass += 1) {
    removed = removed.union(await removeAndCheck(access, await findMarked(openAccount(access))));
    if (pass === passes) return removed;
    await access.clock.sleep(CLEAN_PAUSE_MS);
  }
}

/** Runs the work as the only rehearsal of the data folder: each removes the records of others. @throws SettingsError */
export async function alone<T>(dataFolder: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const hold = await holdFolder(join(dataFolder, 'rehearsal'), clock);
  try {
    return await work();
  } finally {
    await hold.release();
  }
}
