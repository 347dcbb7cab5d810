import { isHubSpotFailure, LANES, laneOf, OBJECT_TYPES, type ObjectType, recordKey } from '#shared/crm';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { because, type YieldCount } from '#shared/records';
import type { WorkMessage } from '#shared/work-queue';
import { answerAll } from './ask/answer-record.ts';
import { creditsOf, type EndedAnswer, type RecordAnswer } from './ask/endings.ts';
import { planRecord } from './ask/plan-record.ts';
import { claimRecord, noteRecord } from './claim.ts';
import { isRequestedByPerson } from './memory.ts';
import { portalOf } from './read-records.ts';
import {
  type CaughtFailure,
  type ClaimedRecord,
  caught,
  type EnrichmentServices,
  hubSpotFailure,
  type RecordClaim,
  type RunOutcome,
  splitHalted,
  type TimeLimit,
  withdrawn,
} from './services.ts';
import { settleRecord, storeFindings, yieldOfRun } from './settle-record.ts';
import { readWithEmptied, unknownBlanks } from './write-back/by-history.ts';
import { type RunEnd, type Unjournalled, writeBack } from './write-back/write-back.ts';

/** Result of one record's work. */
export type JobResult = { readonly runYield?: YieldCount | undefined } & (
  | { readonly kind: 'ended'; readonly runOutcome: RunOutcome }
  /** Nothing to do. The events are known, or another worker holds the record and will handle them. */
  | { readonly kind: 'repeat' | 'noted' | 'forgotten' }
  /** The message must be delivered again, because the failure came before the record's state could store it. */
  | CaughtFailure
);

/** By `recordKey`. */
type JobResults = ReadonlyMap<string, JobResult>;

/**
 * Takes records from their messages to their outcomes: claim, read, ask, write, settle. Expects one message for each
 * record, so the caller must coalesce messages. A failure affects only its own record. If HubSpot or the data service
 * fails, a claimed record still ends in an outcome or waits.
 */
export async function enrichBatch(
  given: EnrichmentServices,
  messages: readonly WorkMessage[],
  time: TimeLimit,
): Promise<JobResults> {
  const crm = given.crm.until(time.deadlineMs - SETTLE_MS);
  const services = { ...given, crm, statesWritten: new Map() };
  const { held, others } = await claimAll(services, messages, time);
  const { open, ends } = await withoutStopped(services, held);
  const results = new Map([...others, ...(await settleAll(services, ends))]);
  for (const objectType of OBJECT_TYPES) {
    const ofType = open.filter((claim) => claim.objectType === objectType);
    if (ofType.length === 0) continue;
    const ended = await caught(async () => enrichHeld(services, { objectType, held: ofType, time }));
    if ('kind' in ended) for (const claim of ofType) results.set(recordKey(claim), ended);
    else for (const [key, result] of ended) results.set(key, result);
  }
  return results;
}

interface Group {
  readonly objectType: ObjectType;
  readonly held: readonly RecordClaim[];
  readonly time: TimeLimit;
}

async function enrichHeld(services: EnrichmentServices, group: Group): Promise<JobResults> {
  const { found, ends } = await readGroup(services, group);
  const plans = found.map((held) => planRecord(services, held));
  const answered = await answerAll(services, plans, group.time);
  const { telling: toWrite, silent: toSettle } = splitAnswers(answered);
  const settledSilently = await settleAll(services, [...ends, ...toSettle]);
  const written = await write(services, group, toWrite);
  return new Map([...settledSilently, ...(await settleAll(services, written))]);
}

/** Step 1: claims each record for this worker. */
async function claimAll(
  services: EnrichmentServices,
  messages: readonly WorkMessage[],
  time: TimeLimit,
): Promise<{ readonly held: readonly RecordClaim[]; readonly others: JobResults }> {
  const held: RecordClaim[] = [];
  const others = new Map<string, JobResult>();
  await Promise.all(
    messages.map(async (message) => {
      const claimed = await caught(() => claimRecord(services, message, time));
      if (claimed.kind === 'held') held.push(claimed.held);
      else others.set(recordKey(message), claimed);
    }),
  );
  return { held, others };
}

/**
 * Ends the runs that an extension halts. Postpones records if HubSpot's daily requests are nearly used up, because other
 * apps need the rest.
 */
async function withoutStopped(services: EnrichmentServices, held: readonly RecordClaim[]) {
  const { halted, others: notHalted } = await splitHalted(services, held);
  const ends = halted.map(({ claim, reason }) => {
    const { credits } = claim.run;
    return endOf(claim, { kind: 'outcome', ...withdrawn(reason, credits), credits });
  });
  const open: RecordClaim[] = [];
  for (const lane of LANES) {
    const ofLane = notHalted.filter(({ run }) => laneOf(run.purpose) === lane);
    const untilMs = ofLane.length > 0 ? await services.crm.pausedUntil(lane) : undefined;
    if (untilMs === undefined) open.push(...ofLane);
    else ends.push(...ofLane.map((claim) => endOf(claim, later('HUBSPOT_DAILY_RESERVE', untilMs))));
  }
  return { open, ends };
}

/** Step 2: reads the records, and the properties that people emptied. */
async function readGroup(
  services: EnrichmentServices,
  group: Group,
): Promise<{ readonly found: readonly ClaimedRecord[]; readonly ends: readonly RunEnd[] }> {
  const read = await orDeferred(services, async () => {
    const [records] = await Promise.all([
      // We do not pay to fill a property that a person emptied. So we need the history of blanks that a question could
      // fill.
      readWithEmptied(services, group, (held) => {
        const isLookedUp = !isRequestedByPerson(held) && planRecord(services, held).kind === 'planned';
        return isLookedUp ? unknownBlanks(services.policy, held) : [];
      }),
      // Fills the cache of the portal's properties and currency, which the write-back needs.
      portalOf(services, group.objectType),
    ]);
    return records;
  });
  if (read.kind === 'deferred') return { found: [], ends: group.held.map((held) => endOf(held, read)) };
  const { found, missing, failed } = read.value;
  const unreadableMs = services.clock.now() + UNREADABLE_MS;
  const ends = [
    ...missing.map((held) => endOf(held, GONE)),
    ...failed.map((held) => endOf(held, later('HUBSPOT_RECORD_UNREACHABLE', unreadableMs))),
  ];
  return { found, ends };
}

/**
 * Sorts the answers of step 3 (`planRecord` and `answerAll`). Some are written to HubSpot; the others only end their
 * run.
 */
function splitAnswers(answers: Awaited<ReturnType<typeof answerAll>>) {
  const toWrite: RecordAnswer[] = [];
  const toSettle: (RunEnd | Unjournalled)[] = [];
  for (const { held, answered } of answers) {
    if (answered.kind === 'error') toSettle.push({ held, error: answered.error });
    else if (answered.kind === 'found' || needsStatus(answered)) toWrite.push(answered);
    else toSettle.push({ held: answered.held, runOutcome: answered.runOutcome, written: [] });
  }
  return { telling: toWrite, silent: toSettle };
}

/** Whether the run's end is written to HubSpot. A postponed run and an unchanged record change no status. */
function needsStatus({ held, writesStatus, runOutcome }: EndedAnswer): boolean {
  if (writesStatus) return true;
  const { run, outcome } = held.state;
  // If a run stopped after its answer, it may have written. The writer checks this.
  const mayHaveWritten = run?.answeredQuestion !== undefined;
  // HubSpot still says that a rule excludes the record.
  const wasExcluded = outcome?.kind === 'unchanged' && outcome.status === 'skipped';
  return (held.requested || mayHaveWritten || wasExcluded) && runOutcome.kind === 'outcome';
}

/** Step 4: writes answers and statuses to HubSpot. If HubSpot fails as a whole, all runs wait. */
async function write(
  services: EnrichmentServices,
  { objectType, time }: Group,
  answers: readonly RecordAnswer[],
): Promise<readonly (RunEnd | Unjournalled)[]> {
  if (answers.length === 0) return [];
  const untilMs = time.deadlineMs - SETTLE_MS;
  const writing = await orDeferred(services, () => writeBack(services, { objectType, answers, untilMs }));
  if (writing.kind === 'done') return writing.value;
  return answers.map((answer) => ({
    held: answer.held,
    runOutcome: { ...writing, credits: creditsOf(answer) },
    written: [],
  }));
}

/** Step 5: stores how each run ended, or why it waits. */
async function settleAll(
  services: EnrichmentServices,
  ends: readonly (RunEnd | Unjournalled)[],
): Promise<JobResults> {
  const settled = ends.map(async (runEnd): Promise<[string, JobResult]> => {
    const { held } = runEnd;
    if ('error' in runEnd) return [recordKey(held), { kind: 'error', error: runEnd.error }];
    const result = await caught(async () => {
      const runOutcome = await storeFindings(services, runEnd);
      const isSettled = await settleRecord(services, held, runOutcome);
      const { objectType, id, run } = held;
      const { written, fields = 0 } = runEnd;
      services.observer?.ended({ objectType, id, runOutcome, written });
      const rule = 'admission' in held ? held.admission.countedAs : undefined;
      const runYield = isSettled ? yieldOfRun({ run, objectType, rule, runOutcome, fields }) : undefined;
      return { kind: 'ended' as const, runOutcome, runYield };
    });
    return [recordKey(held), result];
  });
  return new Map(await Promise.all(settled));
}

/** Stores the messages in the records' states, and queues the records. */
export async function noteBatch(
  services: EnrichmentServices,
  messages: readonly WorkMessage[],
): Promise<JobResults> {
  const noted = messages.map(async (message): Promise<[string, JobResult]> => {
    return [recordKey(message), await caught(() => noteRecord(services, message))];
  });
  return new Map(await Promise.all(noted));
}

/** Time kept for storing the outcomes after HubSpot's last answer. */
const SETTLE_MS = 3 * SECOND_MS;

/** HubSpot returned the other records of the batch, so a retry within the minute is unlikely to help. */
const UNREADABLE_MS = 15 * MINUTE_MS;

const GONE: RunOutcome = {
  kind: 'outcome',
  outcome: 'skipped',
  reason: because('gone'),
  credits: 0,
  learned: { isGone: true },
};

type Deferred = Extract<RunOutcome, { kind: 'deferred' }>;

function later(reason: Deferred['reason'], untilMs: number): Deferred {
  return { kind: 'deferred', reason, untilMs, credits: 0, learned: {} };
}

/** Ends a run that wrote nothing. Keeps the run's earlier charges. */
function endOf(held: RecordClaim, runOutcome: RunOutcome): RunEnd {
  return { held, runOutcome: { ...runOutcome, credits: held.run.credits }, written: [] };
}

/** Postpones the work if HubSpot fails. */
async function orDeferred<R>(
  services: EnrichmentServices,
  work: () => Promise<R>,
): Promise<{ kind: 'done'; value: R } | Deferred> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    const { reason, untilMs } = hubSpotFailure(error, services);
    return later(reason, untilMs);
  }
}
