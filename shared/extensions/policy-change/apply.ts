import { byObjectType, type CrmRecord } from '#shared/crm';
import {
  type ClaimedRecord,
  type EnrichmentServices,
  isStatus,
  planStored,
  type RunEnd,
  type RunOutcome,
  settleRecord,
  storeFindings,
  type WritePlan,
  writeBack,
} from '#shared/enrichment';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { withOwnership } from '#shared/ownership';
import { changeRecord, claimWithAnswer, GROUP_SIZE, type RecordState, wantedGroups } from '#shared/records';
import { isUndecided } from '#shared/review';
import { type Applied, changesNotice, NOTICE_DUE } from './compare.ts';
import {
  type NoReusableAnswer,
  type ReusableAnswer,
  readGroup,
  reusableAnswer,
  type SkipCause,
} from './read-group.ts';

export interface AppliedReport {
  /** Records whose stored answer was compared with the policy. */
  readonly records: number;
  readonly written: Applied;
  /** Runs whose write HubSpot postponed, or refused. */
  readonly waiting: number;
  readonly failed: number;
  readonly left: Readonly<Partial<Record<NoReusableAnswer | SkipCause, number>>>;
  /**
   * Present if only HubSpot's reserved daily requests are left, which are for other apps. The remaining records must be
   * applied after this time, epoch milliseconds.
   */
  readonly pausedUntilMs?: number | undefined;
  /** Whether an undo stopped the apply before its end. */
  readonly isStopped?: boolean | undefined;
}

interface Applying {
  /** All values are written under this id, so that an undo can find them. */
  readonly id: string;
  readonly onProgress?: (seen: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** Called before each group is written. */
  readonly isStopped?: (() => Promise<boolean>) | undefined;
}

/** A group needs only seconds to read, write and settle. After this time, another worker can claim its records. */
const CLAIM_MS = 5 * MINUTE_MS;

const SETTLE_MS = 10 * SECOND_MS;

/** Maximum number of records kept in memory for the domains of their companies. */
const SEEN = 1_000;

/**
 * Maps all stored answers again under the policy of the services, and writes the differences by a worker's rules. It
 * makes no lookups, so it costs no credits. It writes values only. It makes no association with a company, because an
 * undo cannot remove an association. It can be interrupted and repeated.
 */
export async function applyPolicy(
  given: EnrichmentServices,
  { id, onProgress, signal, isStopped }: Applying,
): Promise<AppliedReport> {
  const services = { ...given, policy: { ...given.policy, associate: 'never' as const } };
  const tally = createTally();
  const pending = byObjectType<Differing[]>(() => []);
  let seen: readonly CrmRecord[] = [];
  for await (const group of wantedGroups(services, hasAnswer)) {
    signal?.throwIfAborted();
    const pausedUntilMs = await services.crm.pausedUntil('bulk');
    if (pausedUntilMs !== undefined) return { ...tally.report(), pausedUntilMs };
    const { objectType } = group;
    const read = await readGroup(services, group, { policies: [services.policy], seen });
    seen = [...read.now.records.values(), ...seen].slice(0, SEEN);
    for (const reason of read.left) tally.leave(reason);
    const reusable = await Promise.all(read.found.map((each) => reusableAnswer(services, each)));
    for (const answer of reusable) if (typeof answer === 'string') tally.leave(answer);
    const answers = reusable.filter((answer) => typeof answer !== 'string');
    tally.see(answers.length);
    const planned = await planStored(services, services.policy, { objectType, answers, read });
    const differing = answers.flatMap((answer, index) => differingOf(answer, planned[index]));
    pending[objectType].push(...differing);
    if (await isStopped?.()) return { ...tally.report(), isStopped: true };
    if (pending[objectType].length >= GROUP_SIZE)
      await writeGroup(services, pending[objectType].splice(0, GROUP_SIZE), { id, tally });
    onProgress?.(group.seen);
  }
  for (const answers of Object.values(pending)) {
    if (await isStopped?.()) return { ...tally.report(), isStopped: true };
    if (answers.length > 0) await writeGroup(services, answers, { id, tally });
  }
  return tally.report();
}

function hasAnswer({ forgottenAtMs, mergedInto, answeredQuestion }: RecordState): boolean {
  return forgottenAtMs === undefined && mergedInto === undefined && answeredQuestion !== undefined;
}

type Tally = ReturnType<typeof createTally>;

/** An answer whose values differ from the record's values. */
interface Differing extends ReusableAnswer {
  /** Facts from HubSpot's history, so that the write-back does not read the history again. */
  readonly known: Pick<WritePlan, 'learned'> & Pick<ClaimedRecord, 'emptied' | 'others'>;
}

function differingOf(answer: ReusableAnswer, planned: WritePlan | undefined): Differing[] {
  if (!planned || (planned.filled.length === 0 && !changesNotice(planned.writes))) return [];
  const { learned, others, draft } = planned;
  const { emptied = [] } = draft.held;
  return [{ ...answer, known: { learned, others, emptied } }];
}

/** Claims the records of one type, and writes their answers by the guarded write-back. */
async function writeGroup(
  services: EnrichmentServices,
  answers: readonly Differing[],
  { id, tally }: { readonly id: string; readonly tally: Tally },
): Promise<void> {
  const [first] = answers;
  if (!first) return;
  const nowMs = services.clock.now();
  const untilMs = nowMs + CLAIM_MS - SETTLE_MS;
  const servicesUntil = { ...services, crm: services.crm.until(untilMs) };
  const claimed = await Promise.all(answers.map((answer) => claim(services, answer, { id, nowMs })));
  const held = claimed.filter((answer) => answer !== undefined);
  for (let left = answers.length - held.length; left > 0; left -= 1) tally.leave('worked-on');
  if (held.length === 0) return;
  const { objectType } = first.held;
  const ends = await writeBack(servicesUntil, { objectType, answers: held, untilMs });
  await Promise.all(
    ends.map(async (runEnd) => {
      // The claim expires, and the next worker checks the result.
      if (!('runOutcome' in runEnd)) return tally.end('failed', NOTHING);
      await settleRecord(services, runEnd.held, await storeFindingsKeepingAssociations(services, runEnd));
      const values = runEnd.written.filter(({ property }) => !isStatus(property)).length;
      const notices = Number(runEnd.written.some(({ property }) => property === NOTICE_DUE));
      tally.end(kindOf(runEnd.runOutcome), { values, notices });
    }),
  );
}

/** Stores the new findings. Keeps undecided findings about associations, because an apply makes no association. */
async function storeFindingsKeepingAssociations(
  services: EnrichmentServices,
  ended: RunEnd,
): Promise<RunOutcome> {
  if (ended.findings === undefined || !ended.held.state.hasReview) return storeFindings(services, ended);
  const known = (await services.reviews.read(ended.held))?.findings ?? [];
  const associations = known.filter((finding) => finding.kind === 'association' && isUndecided(finding));
  return storeFindings(services, { ...ended, findings: [...ended.findings, ...associations] });
}

function kindOf(runOutcome: RunOutcome): 'written' | 'waiting' | 'failed' {
  if (runOutcome.kind === 'deferred') return 'waiting';
  return runOutcome.outcome === 'failed' ? 'failed' : 'written';
}

/**
 * Claims the record.
 * @returns `undefined` if another worker has the record, or has stored a newer answer.
 */
async function claim(
  services: EnrichmentServices,
  answer: Differing,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): Promise<ReusableAnswer | undefined> {
  const { held, questionKey } = answer;
  const opening = { id, runId: services.newId(), owner: services.newId(), nowMs, claimMs: CLAIM_MS };
  const { state } = await changeRecord(services, held, (current) => ({
    state:
      current.answeredAtMs === held.state.answeredAtMs
        ? claimWithAnswer(current, { ...opening, questionKey })
        : undefined,
  }));
  if (!state) return undefined;
  const { learned, ...known } = answer.known;
  const ownership = withOwnership(state.ownership, { written: learned.written });
  return { ...answer, held: { ...held, ...known, state: { ...state, ownership }, run: state.run } };
}

const NOTHING = { values: 0, notices: 0 };

function createTally() {
  const left: Partial<Record<NoReusableAnswer | SkipCause, number>> = {};
  const written = { records: 0, values: 0, notices: 0 };
  const otherEnds = { waiting: 0, failed: 0 };
  let records = 0;
  return {
    leave: (reason: NoReusableAnswer | SkipCause) => {
      left[reason] = (left[reason] ?? 0) + 1;
    },
    see: (count: number) => {
      records += count;
    },
    end: (kind: 'written' | 'waiting' | 'failed', { values, notices }: Omit<Applied, 'records'>) => {
      if (kind !== 'written') otherEnds[kind] += 1;
      else if (values + notices > 0) written.records += 1;
      written.values += values;
      written.notices += notices;
    },
    report: (): AppliedReport => ({ records, written, ...otherEnds, left }),
  };
}
