import { hasSentNothing, type StepServices, type SweepStep, withdrawn } from '#shared/enrichment';
import { type Digest, mapInChunks } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { FORGOTTEN_REASON } from '#shared/privacy';
import {
  backfillRunOf,
  because,
  changeRecord,
  explanationText,
  openForBackfill,
  type RecordState,
  recordKind,
  settle,
  type WaitingReason,
  waitingCause,
  waitingWords,
  withdrawLater,
} from '#shared/records';
import { type OpenItems, replacing } from '#shared/store';
import { HALTED } from './extension.ts';
import type { Backfill, Member } from './schemas.ts';
import {
  type BackfillItems,
  backfillItems,
  backfillKind,
  memberKind,
  membersPartition,
} from './stored-kinds.ts';
import {
  admitMembers,
  countEnds,
  exhausted,
  FAILED_REASON,
  type Hold,
  isActive,
  isHalted,
  judged,
  LIVING,
  type MemberEnd,
  nextPlaces,
  withHoldReason,
} from './transitions.ts';

type AdvanceServices = BackfillItems & Pick<StepServices, 'records' | 'ledger' | 'crm' | 'clock' | 'newId'>;

/**
 * Maximum number of admitted records whose runs have not ended. They take about twenty minutes at the vendor's usual
 * rate, and fit into one stored item.
 */
const MAX_OUTSTANDING = 400;

/** Moves every backfill as far as possible now. */
export function backfillStep(given: { readonly open: OpenItems }): SweepStep {
  const items = backfillItems(given);
  return {
    name: 'backfills',
    place: 'admission',
    take: async (services) => {
      const partition = backfillKind.partition('backfills');
      for (const backfill of await items.backfills.list({ partition }))
        if (isActive(backfill)) await advance({ ...services, ...items }, backfill.id);
    },
  };
}

/**
 * Counts the ended runs, decides, and admits the next records. Stores the backfill before it opens a run. After a crash
 * between these steps, the next call opens the run. If another process has stored the backfill in the meantime, that
 * process continues.
 */
async function advance(services: AdvanceServices, id: string): Promise<void> {
  const { backfills, clock } = services;
  const key = backfillKind.key(id);
  const stored = await backfills.read(key);
  if (!stored) return;
  const { ends, waiting } = await checkOutstanding(services, stored.value);
  const nowMs = clock.now();
  const known = judged(countEnds(stored.value, ends), nowMs);
  const { value, taken } = await choose(
    services,
    withHoldReason(known, await reasonForHold(services, known, waiting), nowMs),
  );
  // A stratum may just have run out of members. So the backfill may end now.
  const next = taken === 0 ? judged(value, nowMs) : value;
  if (JSON.stringify(next) === JSON.stringify(stored.value)) return;
  const written = await backfills.write({ key, value: next, ...replacing(stored) });
  if (written !== 'conflict') await checkOutstanding(services, next);
}

/** Returns the reason why no record moves; `undefined` if a record moves, or if no record is outstanding. */
async function reasonForHold(
  { ledger, crm }: AdvanceServices,
  { state, outstanding }: Backfill,
  waiting: Hold | undefined,
): Promise<Hold | undefined> {
  if (!LIVING.has(state) || outstanding.length === 0) return undefined;
  if ((await crm.pausedUntil('bulk')) !== undefined)
    return {
      code: 'hubspot-reserved',
      reason: "The rest of today's HubSpot requests is reserved for other apps.",
    };
  return (await ledger.now()).left('backfill') === 0
    ? { code: 'budget', reason: 'The budgets have no credits left for it now.' }
    : waiting;
}

interface Outstanding {
  readonly ends: readonly MemberEnd[];
  /** The most frequent wait reason, if every record waits. */
  readonly waiting: Hold | undefined;
}

/** Opens the runs that are not open yet. If the backfill is halted, ends its runs instead. Reports the ended runs. */
async function checkOutstanding(services: AdvanceServices, backfill: Backfill): Promise<Outstanding> {
  const check = isHalted(backfill) ? checkHalted : checkLiving;
  const seen = await mapInChunks(backfill.outstanding, (started) => check(services, backfill, started));
  const ends = seen.flatMap(({ end }) => end ?? []);
  const holds = seen.flatMap(({ hold }) => hold ?? []);
  const areAllWaiting = holds.length > 0 && holds.length === backfill.outstanding.length;
  return { ends, waiting: areAllWaiting ? mostFrequent(holds) : undefined };
}

interface SeenRun {
  readonly end?: MemberEnd;
  readonly hold?: Hold;
}

type Started = Backfill['outstanding'][number];

async function checkLiving(
  services: AdvanceServices,
  { id: backfillId, scope: { objectType }, strata }: Backfill,
  { id, stratum, runId }: Started,
): Promise<SeenRun> {
  const name = { objectType, id };
  const state = (await services.records.read(recordKind.key(name)))?.value;
  if (state && isOpened(state, runId)) return checkRun(state, runId);
  const maxCredits = strata[stratum]?.maxCredits ?? 0;
  const opening = { id: backfillId, runId, maxCredits, nowMs: services.clock.now() };
  const { state: opened, known: now } = await changeRecord(services, name, (known) => ({
    state: openForBackfill(known, opening),
    known,
  }));
  return opened
    ? {}
    : { end: { runId, kind: 'other', credits: 0, isDamage: false, reason: explanationText(whyNot(now)) } };
}

/** Ends a record's run if no worker holds the record. So the run does not first wait in the queue or for a budget. */
async function checkHalted(
  services: AdvanceServices,
  { scope: { objectType } }: Backfill,
  { id, runId }: Started,
): Promise<SeenRun> {
  const { clock } = services;
  const { now: current } = await changeRecord(services, { objectType, id }, (known) => {
    if (!isOpened(known, runId)) return { now: known };
    const state = withdrawLater(known, runId, HALTED);
    if (state) return { state, now: state };
    if (known.run?.id !== runId || !isIdle(known)) return { now: known };
    const { credits } = known.run;
    const { outcome: kind, ...ending } = withdrawn(HALTED, credits);
    const outcome = { kind, reason: ending.reason, credits, atMs: clock.now() };
    const ended = settle(known, { outcome, learned: ending.learned });
    return { state: ended, now: ended };
  });
  if (isOpened(current, runId)) return checkRun(current, runId);
  return { end: { runId, kind: 'withdrawn', credits: 0, isDamage: false } };
}

/** Whether the run waits for the backfill alone, and has sent no question. */
function isIdle({ claim, waiting, run }: RecordState): boolean {
  return !claim && waiting !== undefined && run?.purpose === 'backfill' && hasSentNothing(run);
}

/** Whether the run was opened, and no halt has ended it. */
function isOpened(state: RecordState, runId: string): boolean {
  const opened = backfillRunOf(state, runId);
  return opened !== undefined && opened.end?.isWithdrawn !== true;
}

function checkRun(state: RecordState, runId: string): SeenRun {
  const { run, later = [] } = state;
  const isOpen = run?.id === runId || later.some(({ id }) => id === runId);
  const isGone = state.mergedInto !== undefined || state.forgottenAtMs !== undefined;
  if (isOpen && !isGone) {
    const hold = reasonOfWait(state);
    return hold ? { hold } : {};
  }
  const none = { kind: 'skipped', credits: 0, isDamage: false, reason: whyNot(state) } as const;
  const { kind, credits, isDamage, reason } = backfillRunOf(state, runId)?.end ?? none;
  const why = kind === 'failed' ? FAILED_REASON : reason && explanationText(reason);
  const isFilled = kind === 'enriched';
  return {
    end: { runId, kind: KINDS[kind], credits, isDamage, isFilled, ...(why !== undefined && { reason: why }) },
  };
}

/**
 * Returns why a record waits; `undefined` if it does not wait, or if the next sweeps continue it. A stop by a person is
 * not stored, because it can end between two sweeps. `summaryOf` adds it.
 */
function reasonOfWait({ waiting }: RecordState): Hold | undefined {
  if (!waiting || waiting.reason === BY_PERSON || waitingCause(waiting.reason).isInProgress) return undefined;
  return { code: waiting.reason, reason: waiting.detail ?? waitingWords(waiting.reason).why };
}

const BY_PERSON = 'stopped-by-person' satisfies WaitingReason;

/** Explains why a record has no run of the backfill. */
function whyNot({ mergedInto, forgottenAtMs }: RecordState): Explanation {
  if (mergedInto !== undefined) return because('merged');
  return forgottenAtMs === undefined ? because('another-run') : FORGOTTEN_REASON;
}

const KINDS = {
  enriched: 'hit',
  unchanged: 'hit',
  unmatched: 'miss',
  skipped: 'other',
  failed: 'other',
} as const;

function mostFrequent(holds: readonly Hold[]): Hold | undefined {
  const counts = Map.groupBy(holds, ({ reason }) => reason);
  return [...counts.values()].sort((a, b) => b.length - a.length)[0]?.[0];
}

/** Chooses the next members of each stratum, in the order of their keyed hash. */
async function choose(
  services: AdvanceServices,
  backfill: Backfill,
): Promise<{ readonly value: Backfill; readonly taken: number }> {
  const freePlaces = MAX_OUTSTANDING - backfill.outstanding.length;
  const places = nextPlaces(backfill, freePlaces);
  let value = backfill;
  let taken = 0;
  for (const [stratum, wanted] of places.entries()) {
    if (wanted === 0) continue;
    const chosen = await nextMembers(services, backfill, { stratum, wanted });
    value = admitMembers(
      value,
      chosen.map(({ id, order }) => ({ id, order, stratum, runId: services.newId() })),
    );
    taken += chosen.length;
    if (chosen.length < wanted) value = exhausted(value, stratum);
  }
  return { value, taken };
}

async function nextMembers(
  { members }: AdvanceServices,
  { id: backfillId, strata }: Backfill,
  { stratum, wanted }: { stratum: number; wanted: number },
): Promise<readonly Member[]> {
  const lastTaken = strata[stratum]?.taken;
  // The list begins with the last taken member, which is removed here.
  const found = await members.list({
    partition: memberKind.partition(membersPartition(backfillId, stratum)),
    from: lastTaken?.order ?? 0,
    limit: wanted + 1,
  });
  return found.filter(({ id }) => id !== lastTaken?.id).slice(0, wanted);
}

const HASH_DIGITS = 13;

/** Returns a random number of 52 bits. In the order of these numbers, the first records are a random sample. */
export function orderOf({ backfillId, id }: Pick<Member, 'backfillId' | 'id'>, digest: Digest): number {
  return Number.parseInt(digest.keyed(JSON.stringify(['member', backfillId, id])).slice(0, HASH_DIGITS), 16);
}
