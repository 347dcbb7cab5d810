import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { OutsideError } from '../kernel/errors.ts';
import { OBJECT_TYPES, type ObjectType, recordKey } from '../records/crm-record.ts';
import { LANES, laneOf } from '../work-queue/lane.ts';
import type { WorkMessage } from '../work-queue/message.ts';
import { type Answered, answerRecord } from './answer-record.ts';
import { claimRecord } from './claim.ts';
import type { Ending, EnrichmentDeps, Held, RecordReport, TimeLimit } from './deps.ts';
import { hubSpotFailure } from './hubspot-failure.ts';
import { readRecords } from './read-records.ts';
import { settleRecord } from './settle-record.ts';
import { writeBack } from './write-back.ts';

/** What became of one record's work. */
export type JobResult =
  | { readonly kind: 'ended'; readonly ending: Ending }
  /** Nothing to do: known events, or another worker holds the record and will see to it. */
  | { readonly kind: 'repeat' | 'noted' | 'forgotten' }
  /** To be delivered again: something failed before the record's state could say so. */
  | { readonly kind: 'error'; readonly error: unknown };

/**
 * Takes records from event to outcome. One message a record: coalesce first. Each record's failure is its own;
 * whatever happens to HubSpot or the data service, a held record ends in an outcome or waits.
 * @returns results by `recordKey`.
 */
export async function enrichBatch(
  given: EnrichmentDeps,
  jobs: readonly WorkMessage[],
  time: TimeLimit,
): Promise<ReadonlyMap<string, JobResult>> {
  const deps = { ...given, crm: given.crm.until(time.deadlineMs - SETTLE_MS) };
  const claims = await Promise.all(
    jobs.map(async (job) => ({ job, claimed: await attempt(() => claimRecord(deps, job, time)) })),
  );
  const results = new Map<string, JobResult>();
  const held: Held[] = [];
  for (const { job, claimed } of claims) {
    if (claimed.kind === 'held') held.push(claimed.held);
    else results.set(recordKey(job), claimed);
  }
  const { paused, free } = await withoutPaused(deps, held);
  for (const [key, result] of paused) results.set(key, result);
  for (const objectType of OBJECT_TYPES) {
    const ofType = free.filter((each) => each.objectType === objectType);
    if (ofType.length === 0) continue;
    const ended = await attempt(async () => enrichHeld(deps, { objectType, held: ofType, time }));
    if ('kind' in ended) for (const each of ofType) results.set(recordKey(each), ended);
    else for (const [key, result] of ended) results.set(key, result);
  }
  return results;
}

/** Puts off what would take the last of HubSpot's daily requests from the account's other apps. */
async function withoutPaused(
  deps: EnrichmentDeps,
  held: readonly Held[],
): Promise<{ paused: [string, JobResult][]; free: readonly Held[] }> {
  const paused: [string, JobResult][] = [];
  const free: Held[] = [];
  for (const lane of LANES) {
    const group = held.filter(({ run }) => laneOf(run.purpose) === lane);
    const untilMs = group.length > 0 ? await deps.crm.pausedUntil(lane) : undefined;
    if (untilMs === undefined) free.push(...group);
    else {
      const later = { kind: 'deferred', reason: 'HUBSPOT_DAILY_RESERVE', untilMs, credits: 0 } as const;
      paused.push(...(await concludeAll(deps, group, { ...later, learned: {} })));
    }
  }
  return { paused, free };
}

/** Kept for writing endings into the records' states after HubSpot's last answer. */
const SETTLE_MS = 3 * SECOND_MS;

type Failed = Extract<JobResult, { kind: 'error' }>;

/** The border of one record's failure: it is reported and delivered again, and keeps no other record. */
async function attempt<R>(work: () => Promise<R>): Promise<R | Failed> {
  try {
    return await work();
  } catch (error) {
    return { kind: 'error', error };
  }
}

/** HubSpot told of the others in the batch, so this one is not likely to come right within the minute. */
const UNREADABLE_MS = 15 * MINUTE_MS;

interface Group {
  readonly objectType: ObjectType;
  readonly held: readonly Held[];
  readonly time: TimeLimit;
}

async function enrichHeld(deps: EnrichmentDeps, group: Group): Promise<[string, JobResult][]> {
  const { objectType, held, time } = group;
  const read = await orDefer(deps, () => readRecords(deps, objectType, held));
  if (read.kind === 'deferred') return concludeAll(deps, held, read);
  const gone: Ending = {
    kind: 'outcome',
    outcome: 'skipped',
    reason: 'No longer in HubSpot.',
    credits: 0,
    learned: { isGone: true },
  };
  const asked = await Promise.all(
    read.value.found.map(async (each) => ({
      held: each,
      answered: await attempt(() => answerRecord(deps, each, time)),
    })),
  );
  const answered = asked.map(({ answered }) => answered).filter((each) => each.kind !== 'error');
  const failed = asked.flatMap(({ held, answered }): [string, JobResult][] =>
    answered.kind === 'error' ? [[recordKey(held), answered]] : [],
  );
  return [
    ...failed,
    ...(await concludeAll(deps, read.value.missing, gone)),
    ...(await concludeAll(deps, read.value.failed, unreadable(deps))),
    ...(await writeAndConclude(deps, { objectType, answered, time })),
  ];
}

function unreadable({ clock }: EnrichmentDeps): Ending {
  const untilMs = clock.now() + UNREADABLE_MS;
  return { kind: 'deferred', reason: 'HUBSPOT_RECORD_UNREACHABLE', untilMs, credits: 0, learned: {} };
}

interface Answers extends Pick<Group, 'objectType' | 'time'> {
  readonly answered: readonly Answered[];
}

async function writeAndConclude(
  deps: EnrichmentDeps,
  { objectType, answered, time }: Answers,
): Promise<[string, JobResult][]> {
  const [silent, telling] = [answered.filter((each) => !tells(each)), answered.filter(tells)];
  const quiet = await Promise.all(
    silent.flatMap((each) => (each.kind === 'ended' ? [concludeOne(deps, { ...each, written: [] })] : [])),
  );
  if (telling.length === 0) return quiet;
  const untilMs = time.deadlineMs - SETTLE_MS;
  const back = await orDefer(deps, () => writeBack(deps, { objectType, answers: telling, untilMs }));
  if (back.kind === 'done') {
    const told = back.value.map(async (ended): Promise<[string, JobResult]> => {
      if ('ending' in ended) return concludeOne(deps, ended);
      return [recordKey(ended.held), { kind: 'error', error: ended.error }];
    });
    return [...quiet, ...(await Promise.all(told))];
  }
  const later = telling.map((each) => {
    const credits = each.kind === 'found' ? each.credits : each.ending.credits;
    return concludeOne(deps, { held: each.held, ending: { ...back, credits }, written: [] });
  });
  return [...quiet, ...(await Promise.all(later))];
}

/** Whether HubSpot is to hear of it: not of a deferral, nor of a record that is as it should be. */
function tells(answered: Answered): boolean {
  if (answered.kind === 'found' || answered.tellCrm) return true;
  const { requested, state } = answered.held;
  // A run that was cut off after its answer may have written: what became of that is looked up.
  return (requested || state.run?.answeredQuestion !== undefined) && answered.ending.kind === 'outcome';
}

interface Conclusion {
  readonly held: Held;
  readonly ending: Ending;
  readonly written: RecordReport['written'];
}

async function concludeOne(
  deps: EnrichmentDeps,
  { held, ending, written }: Conclusion,
): Promise<[string, JobResult]> {
  const settled = await attempt(async () => {
    await settleRecord(deps, held, ending);
    const { objectType, id } = held;
    deps.observer?.ended({ objectType, id, ending, written });
    return { kind: 'ended' as const, ending };
  });
  return [recordKey(held), settled];
}

function concludeAll(
  deps: EnrichmentDeps,
  held: readonly Held[],
  ending: Ending,
): Promise<[string, JobResult][]> {
  return Promise.all(
    held.map((each) =>
      concludeOne(deps, { held: each, ending: { ...ending, credits: each.run.credits }, written: [] }),
    ),
  );
}

type Deferred = Extract<Ending, { kind: 'deferred' }>;

/** HubSpot's failures put work off; the records wait, with the reason, until it can go on. */
async function orDefer<R>(
  deps: EnrichmentDeps,
  work: () => Promise<R>,
): Promise<{ kind: 'done'; value: R } | Deferred> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    if (!(error instanceof OutsideError) || !/^(HUBSPOT|HTTP)_/.test(error.code)) throw error;
    return { kind: 'deferred', ...hubSpotFailure(error, deps), credits: 0, learned: {} };
  }
}
