import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, counted, type NewId, parseJson, SECOND_MS, UpstreamError } from '#shared/kernel';
import { holdFolder } from '../announce.ts';
import { makeFolder } from '../data-folder.ts';
import { settingsError } from '../settings-error.ts';
import {
  type AccountAccess,
  findMarked,
  type OwnRecord,
  openAccount,
  openOwnRecords,
  removeOwn,
  StepStopped,
  TokenRefused,
  type WriteAccount,
} from './account.ts';
import { type AssumptionVerdict, notSeen, notSeenWith } from './assumption.ts';
import { journalSchema, type RehearsalJournal } from './schemas.ts';
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
  readonly journal: JournalPlace;
  readonly newId: NewId;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Repeats the steps that an interrupted rehearsal has finished. */
  readonly anew?: boolean;
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
 * Runs the steps. Skips steps that an interrupted rehearsal of the same account has finished. At the end of a step
 * its records are removed, even if the step fails or the signal is aborted.
 */
export async function rehearseHubSpot(
  rehearsal: Rehearsal,
  steps: readonly RehearsalStep[],
): Promise<HubSpotRehearsed> {
  const { access, accountId, newId, signal, progress } = rehearsal;
  const account = openAccount(access, signal);
  let journal: RehearsalJournal = (await cleanedJournal(rehearsal)) ?? {
    format: 1,
    accountId,
    run: newRun(newId),
    startedAtMs: access.clock.now(),
    isCreating: false,
    records: [],
    steps: {},
  };
  for (const [index, step] of steps.entries()) {
    if (journal.steps[step.name]) continue;
    progress?.(index, step);
    const report = await playStep(rehearsal, { account, step, journal });
    journal = { ...journal, steps: { ...journal.steps, [step.name]: report } };
    rehearsal.journal.write(journal);
  }
  progress?.(steps.length, undefined);
  rehearsal.journal.remove();
  const { startedAtMs, steps: seen } = journal;
  const reports = steps.map(({ name }) => ({ step: name, tookMs: 0, observations: {}, ...seen[name] }));
  return { startedAtMs, steps: reports };
}

async function playStep(
  rehearsal: Rehearsal,
  { account, step, journal }: { account: WriteAccount; step: RehearsalStep; journal: RehearsalJournal },
) {
  const { access, deliveries, askPerson, say, signal } = rehearsal;
  const { clock } = access;
  const startedMs = clock.monotonic();
  const owned: OwnRecord[] = [];
  const observations: Record<string, AssumptionVerdict> = {};
  let isInDoubt = false;
  const keep = (records: readonly OwnRecord[], isCreating: boolean) => {
    isInDoubt = isCreating;
    rehearsal.journal.write({ ...journal, records: [...records], isCreating });
  };
  let why: AssumptionVerdict = notSeen('step-ended');
  try {
    const records = openOwnRecords({ account, owned, log: { keep } }, journal.run);
    const note = (assumption: string, observation: AssumptionVerdict) => {
      observations[assumption] = observation;
    };
    const noteOthers = (observation: AssumptionVerdict) => {
      why = observation;
    };
    await step.run({ account, records, deliveries, askPerson, say, clock, signal, note, noteOthers });
  } catch (error) {
    // In both cases, no request is left whose answer is unknown.
    if (error === signal?.reason || error instanceof TokenRefused) keep(owned, false);
    signal?.throwIfAborted();
    if (error instanceof TokenRefused) throw error;
    // A refusal or a missing answer of HubSpot is an observation. A bug of ours is not.
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    why = notSeenWith('step-stopped', { reason });
  } finally {
    await removeAndCheck(access, owned);
    // The answer to a creation was lost.
    if (isInDoubt) await removeMarked(access, CLEAN_PASSES).catch(leftInDoubt);
  }
  for (const id of Object.keys(step.assumptions)) observations[id] ??= why;
  return { tookMs: Math.round(clock.monotonic() - startedMs), observations };
}

function newRun(newId: NewId): string {
  return newId().replaceAll('-', '').slice(0, 12);
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
 * Refuses to overwrite or remove a journal that names records of another account.
 * @param accountId the account of the token; `undefined` without a token
 * @throws SettingsError
 */
export function refuseOtherAccount(journal: JournalPlace, accountId: string | undefined): void {
  const known = journal.read();
  const isOpen = known !== undefined && (known.records.length > 0 || known.isCreating);
  if (isOpen && known.accountId !== accountId) throw settingsError('journal-of-other-account', {});
}

/** Removes records that an interrupted rehearsal left. @returns its journal, or `undefined` if there was none */
async function cleanedJournal(rehearsal: Rehearsal): Promise<RehearsalJournal | undefined> {
  refuseOtherAccount(rehearsal.journal, rehearsal.accountId);
  const known = rehearsal.journal.read();
  if (!known || known.accountId !== rehearsal.accountId) return undefined;
  await cleanHubSpot(rehearsal);
  // Needs new names, because HubSpot may block the addresses of contacts that were deleted for privacy.
  return {
    ...known,
    run: newRun(rehearsal.newId),
    isCreating: false,
    records: [],
    ...(rehearsal.anew && { steps: {} }),
  };
}

/**
 * Removes all records that interrupted rehearsals left in this account.
 * @returns the number of records that existed
 */
export async function cleanHubSpot({
  access,
  journal,
  accountId,
}: Pick<Rehearsal, 'access' | 'journal' | 'accountId'>): Promise<number> {
  refuseOtherAccount(journal, accountId);
  const known = journal.read();
  const isHere = known?.accountId === accountId;
  const records = isHere ? known.records : [];
  const removed = await removeAndCheck(access, records);
  const marked = await removeMarked(access, isHere && known.isCreating ? CLEAN_PASSES : 1);
  return removed.union(marked).size;
}

async function removeMarked(access: AccountAccess, passes: number): Promise<Removed> {
  for (let pass = 1; ; pass += 1) {
    const marked = await findMarked(openAccount(access));
    const removed = await removeAndCheck(access, marked);
    if (marked.length > 0 || pass === passes) return removed;
    await access.clock.sleep(CLEAN_PAUSE_MS);
  }
}

/** Storage of a rehearsal's journal: the records that it created, and its observations. */
interface JournalPlace {
  read(): RehearsalJournal | undefined;
  write(journal: RehearsalJournal): void;
  remove(): void;
}

function journalFolder(dataFolder: string): string {
  return join(dataFolder, 'rehearsal');
}

/** Writes the journal before the next request is sent, so that it names every record even after a crash. */
export function journalFile(dataFolder: string): JournalPlace {
  const file = join(journalFolder(dataFolder), 'hubspot.json');
  return {
    read: () => {
      if (!existsSync(file)) return undefined;
      const { data: journal } = journalSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
      if (journal !== undefined) return journal;
      throw settingsError('journal-damaged', { file });
    },
    write: (journal) => {
      makeFolder(journalFolder(dataFolder));
      writeFileSync(`${file}.new`, JSON.stringify(journal), { mode: 0o600, flush: true });
      renameSync(`${file}.new`, file);
    },
    remove: () => rmSync(file, { force: true }),
  };
}

/** Keeps the journal in memory, for a rehearsal on its own stand-in, which ends with the process. */
export function journalInMemory(): JournalPlace {
  let journal: RehearsalJournal | undefined;
  return {
    read: () => journal,
    write: (next) => {
      journal = next;
    },
    remove: () => {
      journal = undefined;
    },
  };
}

/** Runs the work as the only rehearsal of the data folder, because two would share a journal. @throws SettingsError */
export async function alone<T>(dataFolder: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const hold = await holdFolder(journalFolder(dataFolder), clock);
  try {
    return await work();
  } finally {
    await hold.release();
  }
}
