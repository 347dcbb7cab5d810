import { isHubSpotFailure, LANES, laneOf, OBJECT_TYPES, type ObjectType, recordKey } from '#shared/crm';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Brought } from '#shared/records';
import type { WorkMessage } from '#shared/work-queue';
import { answerAll } from './ask/answer-record.ts';
import { type Answered, creditsOf } from './ask/answered.ts';
import { isToAsk } from './ask/plan-record.ts';
import { splitHalted, withdrawn } from './backfill/halted.ts';
import { claimRecord, noteRecord } from './claim.ts';
import { attempt, type Failed, hubSpotFailure } from './failures.ts';
import { isAskedFor } from './memory.ts';
import { type ReadRecords, readRecords } from './read-records.ts';
import type {
  EnrichmentServices,
  Held,
  HeldRecord,
  RecordReport,
  RunOutcome,
  TimeLimit,
} from './services.ts';
import { broughtBy, type Looked, putUp, settleRecord } from './settle-record.ts';
import { unknownBlanks, withEmptied } from './write-back/by-history.ts';
import { writeBack } from './write-back/write-back.ts';

/** What became of one record's work. */
export type JobResult =
  | { readonly kind: 'ended'; readonly runOutcome: RunOutcome; readonly brought?: Brought | undefined }
  /** Nothing to do: known events, or another worker holds the record and will see to it. */
  | { readonly kind: 'repeat' | 'noted' | 'forgotten' }
  /** To be delivered again: something failed before the record's state could say so. */
  | Failed;

/**
 * Takes records from event to outcome. One message a record: coalesce first. Each record's failure is its own;
 * whatever happens to HubSpot or the data service, a held record ends in an outcome or waits.
 * @returns results by `recordKey`.
 */
export async function enrichBatch(
  given: EnrichmentServices,
  jobs: readonly WorkMessage[],
  time: TimeLimit,
): Promise<ReadonlyMap<string, JobResult>> {
  const services = { ...given, crm: given.crm.until(time.deadlineMs - SETTLE_MS) };
  const claims = await Promise.all(
    jobs.map(async (job) => ({ job, claimed: await attempt(() => claimRecord(services, job, time)) })),
  );
  const results = new Map<string, JobResult>();
  const held: Held[] = [];
  for (const { job, claimed } of claims) {
    if (claimed.kind === 'held') held.push(claimed.held);
    else results.set(recordKey(job), claimed);
  }
  const { halted, others } = await splitHalted(services, held);
  const over = halted.map((each) => {
    const { credits } = each.run;
    const runOutcome: RunOutcome = { kind: 'outcome', ...withdrawn(credits), credits };
    return settleOne(services, { held: each, runOutcome, written: [] });
  });
  const { paused, free } = await withoutPaused(services, others);
  for (const [key, result] of [...(await Promise.all(over)), ...paused]) results.set(key, result);
  for (const objectType of OBJECT_TYPES) {
    const ofType = free.filter((each) => each.objectType === objectType);
    if (ofType.length === 0) continue;
    const ended = await attempt(async () => enrichHeld(services, { objectType, held: ofType, time }));
    if ('kind' in ended) for (const each of ofType) results.set(recordKey(each), ended);
    else for (const [key, result] of ended) results.set(key, result);
  }
  return results;
}

/** Keeps what the messages say in the records' states, for their turn. @returns results by `recordKey`. */
export async function noteBatch(
  services: EnrichmentServices,
  jobs: readonly WorkMessage[],
): Promise<ReadonlyMap<string, JobResult>> {
  const noted = jobs.map(async (job): Promise<[string, JobResult]> => {
    return [recordKey(job), await attempt(() => noteRecord(services, job))];
  });
  return new Map(await Promise.all(noted));
}

/** Puts off what would take the last of HubSpot's daily requests from the account's other apps. */
async function withoutPaused(
  services: EnrichmentServices,
  held: readonly Held[],
): Promise<{ paused: [string, JobResult][]; free: readonly Held[] }> {
  const paused: [string, JobResult][] = [];
  const free: Held[] = [];
  for (const lane of LANES) {
    const group = held.filter(({ run }) => laneOf(run.purpose) === lane);
    const untilMs = group.length > 0 ? await services.crm.pausedUntil(lane) : undefined;
    if (untilMs === undefined) free.push(...group);
    else {
      const later = { kind: 'deferred', reason: 'HUBSPOT_DAILY_RESERVE', untilMs, credits: 0 } as const;
      paused.push(...(await settleAll(services, group, { ...later, learned: {} })));
    }
  }
  return { paused, free };
}

/** Kept for writing outcomes into the records' states after HubSpot's last answer. */
const SETTLE_MS = 3 * SECOND_MS;

/** HubSpot told of the others in the batch, so this one is not likely to come right within the minute. */
const UNREADABLE_MS = 15 * MINUTE_MS;

interface Group {
  readonly objectType: ObjectType;
  readonly held: readonly Held[];
  readonly time: TimeLimit;
}

async function enrichHeld(services: EnrichmentServices, group: Group): Promise<[string, JobResult][]> {
  const { objectType, held, time } = group;
  const read = await orDefer(services, () => readWithPast(services, group));
  if (read.kind === 'deferred') return settleAll(services, held, read);
  const gone: RunOutcome = {
    kind: 'outcome',
    outcome: 'skipped',
    reason: 'No longer in HubSpot.',
    credits: 0,
    learned: { isGone: true },
  };
  const unreadable: RunOutcome = {
    kind: 'deferred',
    reason: 'HUBSPOT_RECORD_UNREACHABLE',
    untilMs: services.clock.now() + UNREADABLE_MS,
    credits: 0,
    learned: {},
  };
  const asked = await answerAll(services, read.value.found, time);
  const answered = asked.map(({ answered }) => answered).filter((each) => each.kind !== 'error');
  const failed = asked.flatMap(({ held, answered }): [string, JobResult][] =>
    answered.kind === 'error' ? [[recordKey(held), answered]] : [],
  );
  return [
    ...failed,
    ...(await settleAll(services, read.value.missing, gone)),
    ...(await settleAll(services, read.value.failed, unreadable)),
    ...(await writeAndSettle(services, { objectType, answered, time })),
  ];
}

/** Reads the records and, for those that will be looked up, which blanks a person made. We do not pay to fill those. */
async function readWithPast(services: EnrichmentServices, { objectType, held }: Group): Promise<ReadRecords> {
  const read = await readRecords(services, objectType, held);
  const found = await withEmptied(services, read.found, (each) =>
    isAskedFor(each) || !isToAsk(services, each) ? [] : unknownBlanks(services.policy, each),
  );
  return { ...read, found };
}

interface Answers extends Pick<Group, 'objectType' | 'time'> {
  readonly answered: readonly Answered[];
}

async function writeAndSettle(
  services: EnrichmentServices,
  { objectType, answered, time }: Answers,
): Promise<[string, JobResult][]> {
  const [silent, telling] = [answered.filter((each) => !tells(each)), answered.filter(tells)];
  const quiet = await Promise.all(
    silent.flatMap((each) => (each.kind === 'ended' ? [settleOne(services, { ...each, written: [] })] : [])),
  );
  if (telling.length === 0) return quiet;
  const untilMs = time.deadlineMs - SETTLE_MS;
  const back = await orDefer(services, () => writeBack(services, { objectType, answers: telling, untilMs }));
  if (back.kind === 'done') {
    const told = back.value.map(async (ended): Promise<[string, JobResult]> => {
      if ('runOutcome' in ended) return settleOne(services, ended);
      return [recordKey(ended.held), { kind: 'error', error: ended.error }];
    });
    return [...quiet, ...(await Promise.all(told))];
  }
  const later = telling.map((each) => {
    const runOutcome = { ...back, credits: creditsOf(each) };
    return settleOne(services, { held: each.held, runOutcome, written: [] });
  });
  return [...quiet, ...(await Promise.all(later))];
}

/** Whether HubSpot is to hear of it: not of a deferral, nor of a record that is as it should be. */
function tells(answered: Answered): boolean {
  if (answered.kind === 'found' || answered.tellCrm) return true;
  const { requested, state } = answered.held;
  // A run that was cut off after its answer may have written: what became of that is looked up.
  return (requested || state.run?.answeredQuestion !== undefined) && answered.runOutcome.kind === 'outcome';
}

interface Settlement extends Looked {
  readonly written: RecordReport['written'];
  /** Fields of the answer among them. */
  readonly fields?: number | undefined;
}

async function settleOne(
  services: EnrichmentServices,
  { written, fields = 0, ...looked }: Settlement,
): Promise<[string, JobResult]> {
  const { held } = looked;
  const settled = await attempt(async () => {
    const runOutcome = await putUp(services, looked);
    const isSettled = await settleRecord(services, held, runOutcome);
    const { objectType, id, run } = held;
    services.observer?.ended({ objectType, id, runOutcome, written });
    const rule = 'admission' in held ? (held as HeldRecord).admission.rule : undefined;
    const brought = isSettled ? broughtBy({ run, rule, runOutcome, fields }) : undefined;
    return { kind: 'ended' as const, runOutcome, brought };
  });
  return [recordKey(held), settled];
}

function settleAll(
  services: EnrichmentServices,
  held: readonly Held[],
  runOutcome: RunOutcome,
): Promise<[string, JobResult][]> {
  return Promise.all(
    held.map((each) =>
      settleOne(services, {
        held: each,
        runOutcome: { ...runOutcome, credits: each.run.credits },
        written: [],
      }),
    ),
  );
}

type Deferred = Extract<RunOutcome, { kind: 'deferred' }>;

/** HubSpot's failures put work off; the records wait, with the reason, until it can go on. */
async function orDefer<R>(
  services: EnrichmentServices,
  work: () => Promise<R>,
): Promise<{ kind: 'done'; value: R } | Deferred> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return { kind: 'deferred', ...hubSpotFailure(error, services), credits: 0, learned: {} };
  }
}
