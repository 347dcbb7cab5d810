import type { BudgetsNow } from '#shared/credit-ledger';
import {
  LANES,
  type Lane,
  laneOf,
  nameOfKey,
  OBJECT_TYPES,
  type ObjectType,
  PURPOSES,
  type Purpose,
  recordKey,
} from '#shared/crm';
import { HOUR_MS, inChunks, MINUTE_MS, mapInChunks } from '#shared/kernel';
import { chargeOf, questionKind, type StopReason, withoutOldKey } from '#shared/questions';
import {
  admitUntil,
  because,
  changeRecord,
  doubtKey,
  dueNow,
  isQueued,
  lapsed,
  livingState,
  openAfterDoubt,
  putBack,
  queuePlace,
  type RecordState,
  type Run,
  recordKind,
  settle,
  statusKind,
  type WaitingReason,
  waitingCause,
} from '#shared/records';
import { change } from '#shared/store';
import type { WorkMessage } from '../message.ts';
import {
  type Backlog,
  type PlacesWish,
  type SendingCause,
  type SweepPlaces,
  type SweepServices,
  takePlaces,
} from './sweep-window.ts';

export interface Sending {
  readonly cause: SendingCause;
  readonly lane: Lane;
  /** Maximum number of messages of this cause and lane in one minute, for all sweeps together. */
  readonly bound: number;
  /** Returns the state to store before the message is sent, or `undefined` if another process was faster. */
  readonly before: (state: RecordState) => RecordState | undefined;
  /** Returns the state to store if the message was not sent. */
  readonly unsent: (state: RecordState) => RecordState | undefined;
}

/**
 * Sends a message for each waiting record, in chunks. For each chunk: takes places of this minute, writes the states,
 * sends the messages. A crash loses the messages of at most one chunk. Stops when the minute has no place left.
 * @returns the number of messages.
 * @throws UpstreamError if the queue refuses a chunk. The chunk's records then wait as before.
 */
async function sendWaiting(
  services: SweepServices,
  records: readonly RecordState[],
  sending: Sending,
): Promise<number> {
  let sent = 0;
  for (const chunk of inChunks(records, CHUNK)) {
    const places = await placesFor(services, { ...sending, count: chunk.length });
    sent += await sendChunk(services, chunk.slice(0, places.granted), { ...sending, ...places });
    if (places.granted < chunk.length) break;
  }
  return sent;
}

async function placesFor(
  { status, clock, random }: SweepServices,
  request: PlacesWish,
): Promise<SweepPlaces> {
  const item = { key: statusKind.key('sweep'), kind: "sweeps' window", clock, random };
  return change(status, item, (known) => {
    const places = takePlaces(known?.sweep, request, clock.now());
    return { ...places, value: places.sweep && { sweep: places.sweep } };
  });
}

async function sendChunk(
  services: SweepServices,
  records: readonly RecordState[],
  { lane, before, unsent, untilMs }: Sending & SweepPlaces,
): Promise<number> {
  const { queues, clock } = services;
  const written = await mapInChunks(records, (record) =>
    changeRecord(services, record, (state) => ({ state: before(state) })),
  );
  // A record that has failed for good has no run, and needs no message.
  const changed = written.flatMap(({ state }) => (state?.run ? [state] : []));
  const putBack = () =>
    mapInChunks(changed, (record) => changeRecord(services, record, (state) => ({ state: unsent(state) })));
  // If the sweep has stalled since it took its places, the messages would exceed the bound of the current minute.
  if (clock.now() >= untilMs) {
    await putBack();
    return 0;
  }
  try {
    await queues[lane].send(changed.map(messageOf));
  } catch (error) {
    await putBack();
    throw error;
  }
  return changed.length;
}

/**
 * Number of records in a chunk. All are written at the same time. A crash leaves at most these records without a
 * message.
 */
const CHUNK = 25;

function messageOf({ objectType, id, run }: RecordState): WorkMessage {
  return { objectType, id, purpose: run?.purpose ?? 'live', eventKeys: [] };
}

/** Time after which the message of a requeued record is sent again, because the first message may be lost. */
export const REQUEUE_AFTER_MS = HOUR_MS;

/**
 * Queues postponed records that are due, and records whose worker has crashed. Skips a lane whose queue is full: the
 * records' earlier messages may still be in it.
 */
export async function requeueDue(
  services: SweepServices,
  partition: 'waiting' | 'running',
  { room, dueInSweep }: Backlog,
): Promise<number> {
  const nowMs = services.clock.now();
  let count = 0;
  for (const lane of LANES) {
    if (room.get(lane) === 0) continue;
    const due = await services.records.list({
      partition: recordKind.partition(`${partition}-${lane}`),
      upTo: nowMs,
      limit: dueInSweep,
    });
    count += await sendWaiting(services, due, {
      cause: 'requeued',
      lane,
      bound: dueInSweep,
      before: (state) => postpone(state, nowMs),
      unsent: (state) => dueNow(state, { reasons: [state.waiting?.reason ?? ''], nowMs }),
    });
  }
  return count;
}

/** Maximum number of records that one sweep reopens. A person resolves few doubts at a time. */
const MAX_REOPENED = 500;

type ReopenServices = Pick<SweepServices, 'records' | 'questions' | 'clock' | 'newId'>;

/** Counts the charges of decided doubts in their records. */
export async function reopenResolved(services: ReopenServices): Promise<number> {
  const doubtful = await services.records.list({
    partition: recordKind.partition('doubtful'),
    limit: MAX_REOPENED,
  });
  const reopened = await mapInChunks(doubtful, (record) => reopen(services, record));
  return reopened.filter((state) => state !== undefined).length;
}

/** Does the same for one record at once, after this person has decided its doubt. */
export async function reopenRecord(services: ReopenServices, key: string, by: string): Promise<void> {
  const name = nameOfKey(key);
  if (name) await reopen(services, await livingState(services, name), by);
}

async function reopen(
  services: ReopenServices,
  record: RecordState,
  by?: string,
): Promise<RecordState | undefined> {
  const charges = await decidedCharges(services, record);
  if (charges.size === 0) return undefined;
  const decided = { charges, runId: services.newId(), nowMs: services.clock.now(), by };
  const { state } = await changeRecord(services, record, (known) => ({
    state: openAfterDoubt(known, decided),
  }));
  return state;
}

/** Returns the charges of the record's doubts that are decided. A doubt of another record's attempt costs nothing. */
async function decidedCharges(
  { questions }: ReopenServices,
  { doubts = [] }: RecordState,
): Promise<ReadonlyMap<string, number>> {
  const charges = new Map<string, number>();
  for (const doubt of doubts) {
    const { attempt } = doubt;
    const credits = attempt ? await chargeOf(questions, attempt) : await freeIfDecided(questions, doubt);
    if (credits !== undefined) charges.set(doubtKey(doubt), credits);
  }
  return charges;
}

async function freeIfDecided(
  { items }: ReopenServices['questions'],
  { questionKey }: NonNullable<RecordState['doubts']>[number],
): Promise<number | undefined> {
  const question = await items.read(questionKind.key(questionKey));
  return question?.value.attempt?.state === 'in-doubt' ? undefined : 0;
}

/**
 * Number of consecutive worker crashes at a record after which the record fails. The next worker would probably crash
 * too.
 */
const MAX_LAPSES = 10;

/**
 * Moves a due record's wake-up time into the future before its message is sent. Otherwise every sweep would send it
 * again.
 */
function postpone(state: RecordState, nowMs: number): RecordState | undefined {
  const { claim, waiting, ...rest } = state;
  const dueMs = claim?.untilMs ?? waiting?.untilMs;
  if (!state.run || dueMs === undefined || dueMs > nowMs) return undefined;
  const run = claim ? lapsed(state.run) : state.run;
  if ((run.lapses ?? 0) >= MAX_LAPSES) return givenUp({ ...rest, run }, nowMs);
  const reason = waiting?.reason ?? ('worker-gone' satisfies WaitingReason);
  return { ...rest, run, waiting: { reason, untilMs: nowMs + REQUEUE_AFTER_MS } };
}

function givenUp(state: RecordState, nowMs: number): RecordState {
  const reason = because('given-up', { workers: MAX_LAPSES });
  const outcome = { kind: 'failed', reason, atMs: nowMs, credits: state.run?.credits ?? 0 } as const;
  return settle(state, { outcome, learned: {} });
}

/** One place in ten goes to the oldest waiting record, so that every record starts eventually. */
export const OLDEST_SHARE = 10;
/** Number of records to read from each end of the queue order. Records that the budget postpones are skipped. */
const READ_FROM_EACH_END = 200;

/**
 * Queues waiting records: the most urgent purpose first, and within a purpose the newest first. Admits only as many
 * records as the queues have room for and the budgets can pay for. If the budget is used up when a record is processed,
 * the record waits again.
 * @param untried records that wait for credits. A record whose answer is already stored needs none.
 */
export async function admitWaiting(
  services: SweepServices,
  backlog: Pick<Backlog, 'room' | 'bound'>,
  untried: readonly RecordState[] = [],
): Promise<number> {
  const { clock } = services;
  const room = new Map(backlog.room);
  let count = 0;
  for (const purpose of PURPOSES) {
    const lane = laneOf(purpose);
    const places = room.get(lane) ?? 0;
    const ofPurpose = untried.filter(({ run }) => run?.purpose === purpose);
    const inOrder = await nextInQueue(services, purpose, { room: places, untried: ofPurpose });
    const sent = await sendWaiting(services, inOrder.slice(0, places), {
      cause: 'admitted',
      lane,
      bound: backlog.bound.get(lane) ?? 0,
      before: (state) => admitUntil(state, clock.now() + REQUEUE_AFTER_MS),
      // A record without a message returns to its place in the queue order. It does not wait for the requeue time.
      unsent: (state) => putBack(state, clock.now()),
    });
    room.set(lane, places - sent);
    count += sent;
  }
  return count;
}

async function nextInQueue(
  services: SweepServices,
  purpose: Purpose,
  { room, untried }: { readonly room: number; readonly untried: readonly RecordState[] },
): Promise<readonly RecordState[]> {
  const { records, crm, clock } = services;
  const partition = recordKind.partition(queuePlace(purpose));
  if (room === 0 || (await records.list({ partition, limit: 1 })).length === 0) return [];
  if ((await crm.pausedUntil(laneOf(purpose))) !== undefined) return [];
  const places = Math.min(room, affordable(services, await services.questions.ledger.now(), purpose));
  if (places === 0) return untried.slice(0, room);
  const query = { partition, limit: Math.max(places, READ_FROM_EACH_END) };
  const newest = await records.list({ ...query, newestFirst: true });
  const oldest = await records.list(query);
  const nowMs = clock.now();
  // A record that costs more than the rest of today's budget must not block cheaper records.
  const isOpen = ({ waiting }: RecordState) => waiting?.reason !== 'budget' || waiting.untilMs <= nowMs;
  const inOrder = [...fromBothEnds(services, newest.filter(isOpen), oldest.filter(isOpen)), ...newest];
  const byKey = new Map(inOrder.map((state) => [recordKey(state), state]));
  // A run with a price limit of 0 credits needs no budget.
  const free = [...byKey.values()].slice(places).filter(({ run }) => run?.maxCredits === 0);
  return [...[...byKey.values()].slice(0, places), ...free].slice(0, room);
}

/**
 * Gives one place in ten to the oldest records, at a random position. Often only the first few admitted records are
 * processed, or the queue has room only for these. With a random position, the oldest records also get a tenth of these
 * places.
 */
function fromBothEnds(
  { random }: Pick<SweepServices, 'random'>,
  newest: readonly RecordState[],
  oldest: readonly RecordState[],
): readonly RecordState[] {
  return inChunks(newest, OLDEST_SHARE - 1).flatMap((group, index) => {
    const place = Math.floor(random() * OLDEST_SHARE);
    return group.toSpliced(place, 0, ...oldest.slice(index, index + 1));
  });
}

/** Returns the number of lookups that the budget can pay if each costs as much as the cheapest question. */
export function affordable(
  { cheapestCredits }: Pick<SweepServices, 'cheapestCredits'>,
  budgetsNow: BudgetsNow,
  purpose: Purpose,
): number {
  return Math.floor(budgetsNow.left(purpose) / cheapestCredits);
}

/**
 * Maximum number of records that one sweep admits although no credits are left. A worker checks whether their answer is
 * already stored.
 */
const MAX_LOOKED_UP = 100;

export interface Resumed {
  /** Records that became due because the cause of their wait has ended. */
  readonly due: number;
  /** Records that wait for credits and that no worker has tried yet. Their answer may be stored. */
  readonly untried: readonly RecordState[];
}

interface Resuming {
  /** Whether HubSpot answered this sweep's own searches. */
  readonly hubSpotAnswers: boolean;
  /** Maximum number of records that become due. The limit protects a vendor that has just recovered. */
  readonly dueInSweep: number;
}

/**
 * Makes records due if the cause of their wait has ended: a budget, a stop of the data service, an unreachable HubSpot,
 * HubSpot's refusals of other records, a wrong clock. The records' wake-up time does not matter. Reads a bounded part of
 * the waiting records. The next sweep reads the next part.
 */
export async function resumeWaiting(
  services: SweepServices,
  { hubSpotAnswers, dueInSweep }: Resuming,
): Promise<Resumed> {
  const { rounds, clock } = services;
  const nowMs = clock.now();
  const budgetsNow = await services.questions.ledger.now();
  const hasEnded = await causesNow(services, { hubSpotAnswers, budgetsNow });
  const lacksCredits = perSpender(({ purpose }) => affordable(services, budgetsNow, purpose) === 0);
  let [due, untried] = [0, 0];
  const picked = await rounds.waiting((state) => {
    if (isQueued(state)) {
      if (!isUntried(state) || !lacksCredits(state.run ?? { purpose: 'live' })) return false;
      untried += 1;
      return untried <= MAX_LOOKED_UP;
    }
    if (due >= dueInSweep || !isPostponed(state, nowMs) || !hasEnded(state)) return false;
    due += 1;
    return true;
  });
  const ended = picked.filter((state) => !isQueued(state));
  const resumed = await mapInChunks(ended, (record) =>
    changeRecord(services, record, (state) => ({
      state: dueNow(state, { reasons: reasonsOf(record), nowMs }),
    })),
  );
  const count = resumed.filter(({ state }) => state !== undefined).length;
  return { due: count, untried: picked.filter(isQueued) };
}

/** Whether a queued record was not tried by a worker yet. Its answer may already be stored. */
function isUntried({ waiting }: RecordState): boolean {
  return waiting?.reason === 'queued';
}

/** Whether a record is postponed for more than a minute. The sweep queues other records anyway. */
function isPostponed({ run, waiting, claim }: RecordState, nowMs: number): boolean {
  return run !== undefined && !claim && (waiting?.untilMs ?? 0) > nowMs + MINUTE_MS;
}

function reasonsOf({ waiting }: RecordState): readonly string[] {
  return waiting ? [waiting.reason] : [];
}

/** Returns a function that tells whether the cause of a record's wait has ended. */
async function causesNow(
  services: SweepServices,
  { hubSpotAnswers, budgetsNow }: { readonly hubSpotAnswers: boolean; readonly budgetsNow: BudgetsNow },
): Promise<(state: RecordState) => boolean> {
  const { breakers, writeBreakers, clock, dearestCredits } = services;
  const nowMs = clock.now();
  const breakersNow = withoutOldKey(await breakers.read(), nowMs);
  const { keyRefused, outOfCredits, overcharged, doubtful, stopped } = breakersNow;
  // The sweep knows neither the key nor the vendor's balance. When a retry is due, one record tests them.
  const keyWorks = trial(keyRefused && nowMs >= keyRefused.probeAtMs, !keyRefused);
  const ends: Readonly<Record<StopReason | 'clock-wrong', () => boolean>> = {
    'key-refused': keyWorks,
    'wrong-address': keyWorks,
    'out-of-credits': trial(outOfCredits && nowMs >= outOfCredits.untilMs, !outOfCredits),
    'charges-above-list': () => !overcharged,
    'too-many-doubts': () => !doubtful,
    'stopped-by-person': () => !stopped,
    // A sweep with a wrong clock stops before this point.
    'clock-wrong': () => true,
  };
  const refusing = new Set<ObjectType>();
  for (const type of OBJECT_TYPES) if (await writeBreakers.open(type)) refusing.add(type);
  const canPay = perSpender((run) => !budgetsNow.refusal(run, dearestCredits));
  return ({ objectType, run, waiting }) => {
    const reason = waiting?.reason ?? '';
    // A bought answer keeps its time, or each sweep would write it again.
    if (reason === 'HUBSPOT_REFUSES') return run?.answeredQuestion === undefined && !refusing.has(objectType);
    if (reason === 'budget') return run !== undefined && canPay(run);
    if (Object.hasOwn(ends, reason)) return ends[reason as keyof typeof ends]();
    return hubSpotAnswers && waitingCause(reason).endsWithAnswer === true;
  };
}

/**
 * Returns a function that always returns true if the stop has ended. If a retry is due, the function returns true a
 * single time.
 */
function trial(isDue: boolean | undefined, hasEnded: boolean): () => boolean {
  let left = isDue ? 1 : 0;
  return () => {
    if (hasEnded) return true;
    left -= 1;
    return left >= 0;
  };
}

type Spending = Pick<Run, 'purpose' | 'overrulesReserve'>;

/** Caches the decision for each purpose, because checking a budget is slow and a sweep checks many records. */
function perSpender(decide: (run: Spending) => boolean): (run: Spending) => boolean {
  const known = new Map<string, boolean>();
  return (run) => {
    const key = `${run.purpose} ${run.overrulesReserve}`;
    const decided = known.get(key) ?? decide(run);
    known.set(key, decided);
    return decided;
  };
}
