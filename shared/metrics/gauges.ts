import { budgetParts } from '#shared/credit-ledger';
import { type Crm, LANES, OBJECT_TYPES } from '#shared/crm';
import { MARKED_PROPERTY, markSeen, type Policy } from '#shared/field-policy';
import { type Clock, type Digest, daysUpTo, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { countLateNotices } from '#shared/privacy';
import { type BreakerState, type Breakers, isOutOfCredits, withoutOldKey } from '#shared/questions';
import {
  type Days,
  queuePlace,
  type RecordItems,
  type RecordState,
  recordKind,
  type StatusItems,
  statusKind,
  type WaitingCount,
  type WriteBreakers,
  type YieldCount,
  yieldsOf,
} from '#shared/records';
import {
  type ReportSources,
  readReport,
  type SpendBook,
  type SpendReport,
  type VendorAnswers,
} from '#shared/spend';
import { type Measurement, measure } from './metrics.ts';

interface Gauged {
  readonly report: SpendReport;
  readonly breakers: BreakerState;
  /** True while purchases for an object type are stopped, because HubSpot refused the values. */
  readonly writesStopped: boolean;
  /** Counts of the last pass through the waiting records; `undefined` before the first pass. */
  readonly counted: WaitingCount['last'];
  /** Waiting time of the oldest queued lead; `undefined` if no lead waits. */
  readonly oldestLeadMs: number | undefined;
  /** Lag of the record index behind the table. */
  readonly indexLagMs: number;
  /**
   * Highest possible price of one record's questions under the policy. With fewer credits left, some records must wait.
   */
  readonly dearestCredits: number;
  /** Facts about losses that cause no error. */
  readonly losses: Omit<LossFacts, 'nowMs' | 'isBudgetUsedUp' | 'doubtsAtMs'>;
}

/** Measures the gauges. An alarm on a gauge lasts as long as its cause. */
export function gauges({
  report,
  breakers,
  writesStopped,
  counted,
  oldestLeadMs,
  indexLagMs,
  dearestCredits,
  losses,
}: Gauged): Measurement[] {
  const nowMs = report.generatedAtMs;
  const budgetUsed = budgetUsedPercent(report, dearestCredits);
  const { keyRefused, overcharged, doubtful, stopped } = withoutOldKey(breakers, nowMs);
  return [
    ...budgetGauges(report),
    ...(budgetUsed === undefined ? [] : [measure('budgetUsed', budgetUsed)]),
    ...(report.balanceCredits === undefined ? [] : [measure('creditBalance', report.balanceCredits)]),
    measure('doubtsOpen', report.openDoubts.length),
    measure(
      'purchasesStopped',
      keyRefused || overcharged || doubtful || isOutOfCredits(breakers, nowMs) ? 1 : 0,
    ),
    measure('spendingStopped', stopped ? 1 : 0),
    measure('hubSpotWritesStopped', writesStopped ? 1 : 0),
    ...(counted ? waitingGauges(counted, nowMs) : []),
    // If the index lags, a lead can wait unseen.
    measure('oldestLead', Math.max(oldestLeadMs ?? 0, indexLagMs)),
    ...lossGauges({
      ...losses,
      nowMs,
      isBudgetUsedUp: budgetUsed === 100,
      doubtsAtMs: report.openDoubts.map(({ atMs }) => atMs),
    }),
  ];
}

function waitingGauges(
  { records, sinceMs }: NonNullable<WaitingCount['last']>,
  nowMs: number,
): Measurement[] {
  return [
    measure(
      'recordsWaiting',
      Object.values(records).reduce((sum, count) => sum + count, 0),
    ),
    // Records whose values HubSpot refuses are left out, because one of them would keep the alarm on for months.
    measure(
      'oldestWaiting',
      nowMs -
        Math.min(sinceMs.hubspot ?? nowMs, sinceMs['data-service'] ?? nowMs, sinceMs.ourselves ?? nowMs),
    ),
  ];
}

function budgetGauges({ budgets }: SpendReport): Measurement[] {
  return budgets.map(({ budget, leftCredits }) => ({
    metric: 'budgetLeft',
    value: leftCredits,
    dimensions: { budget },
  }));
}

/**
 * Returns the highest use of the total budgets. Budgets for one purpose, such as the refresh, are left out, because
 * they are meant to be used up. A budget counts as used up when it cannot pay for every question, because then some
 * records wait.
 */
function budgetUsedPercent({ budgets }: SpendReport, dearestCredits: number): number | undefined {
  const used = budgets
    .filter((state) => budgetParts(state).scope === 'total')
    .map(({ usedCredits, leftCredits, limitCredits }) =>
      leftCredits < dearestCredits ? 100 : (usedCredits / limitCredits) * 100,
    );
  return used.length > 0 ? Math.max(...used) : undefined;
}

export interface GaugeSources extends Omit<ReportSources, 'records' | 'spendBook' | 'days'> {
  readonly records: Pick<RecordItems, 'list'>;
  readonly spendBook: Pick<SpendBook, 'read' | 'answers'>;
  readonly days: Pick<Days, 'read'>;
  readonly counted: () => Promise<WaitingCount['last']>;
  readonly breakers: Pick<Breakers, 'read'>;
  readonly writeBreakers: Pick<WriteBreakers, 'open'>;
  readonly dearestCredits: number;
  readonly status: Pick<StatusItems, 'read'>;
  readonly indexLagMs: () => Promise<number>;
  readonly policy: Pick<Policy, 'mode' | 'missAlarmCredits'>;
}

/**
 * Reads the gauges every minute, from some items and the first records of some index partitions. Also writes one
 * marker.
 */
export async function readGauges(sources: GaugeSources): Promise<Measurement[]> {
  const { spendBook, ledger, clock, timeZone, dearestCredits } = sources;
  const [report, breakers, [oldest], counted, indexLagMs, ...open] = await Promise.all([
    readReport({ spendBook, ledger, clock, timeZone }),
    sources.breakers.read(),
    sources.records.list({ partition: recordKind.partition(queuePlace('live')), limit: 1 }),
    sources.counted(),
    sources.indexLagMs(),
    ...OBJECT_TYPES.map((objectType) => sources.writeBreakers.open(objectType)),
  ]);
  const writesStopped = open.some((reason) => reason !== undefined);
  const oldestLeadMs = oldest?.run && report.generatedAtMs - oldest.run.openedAtMs;
  const losses = await readLosses(sources, { oldest, today: report.today });
  return gauges({
    report,
    breakers,
    writesStopped,
    counted,
    oldestLeadMs,
    indexLagMs,
    dearestCredits,
    losses,
  });
}

/** Number of days, including today, over which enriched records are counted. */
const DAYS_UNENRICHED = 3;

async function readLosses(
  sources: GaugeSources,
  { oldest, today }: { readonly oldest: RecordState | undefined; readonly today: string },
): Promise<Gauged['losses']> {
  const { records, spendBook, days, status, policy } = sources;
  const [answers, waitsSinceMs, lastDays, ...sweepCursors] = await Promise.all([
    spendBook.answers(),
    readWaitsSince(records, oldest),
    days.read(daysUpTo(today, DAYS_UNENRICHED)),
    ...OBJECT_TYPES.map((objectType) => status.read(statusKind.key(`created#${objectType}`))),
  ]);
  const unreported = Math.max(...sweepCursors.map((cursor) => cursor?.value.created?.unreported ?? 0));
  const isShadow = policy.mode === 'shadow';
  const { missAlarmCredits } = policy;
  return { answers, waitsSinceMs, brought: yieldsOf(lastDays), unreported, missAlarmCredits, isShadow };
}

/** Facts that show a loss without any error: purchases, matches, writes or webhooks are missing. */
export interface LossFacts {
  readonly nowMs: number;
  readonly answers: VendorAnswers;
  /** Start of the longest wait for a purchase; `undefined` if no record waits. */
  readonly waitsSinceMs: number | undefined;
  /** Send times of requests with an unknown outcome, oldest first. */
  readonly doubtsAtMs: readonly number[];
  readonly isBudgetUsedUp: boolean;
  /** Yield of the runs of the last days. */
  readonly brought: readonly YieldCount[];
  /** Cost of misses in a row that raises the alarm at once. */
  readonly missAlarmCredits: number;
  /** Whether the policy is in shadow mode, which forbids all writes. */
  readonly isShadow: boolean;
  /** Number of consecutive new records that no webhook has reported. */
  readonly unreported: number;
}

export function lossGauges(facts: LossFacts): Measurement[] {
  return [
    measure('nothingBought', nothingBoughtMs(facts)),
    measure('nothingEnriched', isNothingEnriched(facts) ? 1 : 0),
    measure('recordsUnreported', facts.unreported),
  ];
}

/**
 * Returns the time since the last purchase or since the start of the wait, whichever is shorter. The first records of
 * an outage are in doubt, and do not wait. So two unanswered requests since the last answer also count as a wait.
 */
function nothingBoughtMs({ nowMs, answers, waitsSinceMs, doubtsAtMs, isBudgetUsedUp }: LossFacts): number {
  const { answeredAtMs = 0 } = answers;
  const [first, second] = doubtsAtMs.filter((atMs) => atMs > answeredAtMs);
  const waitStarts = [waitsSinceMs, second === undefined ? undefined : first].filter(
    (ms) => ms !== undefined,
  );
  if (waitStarts.length === 0 || isBudgetUsedUp) return 0;
  return Math.max(0, nowMs - Math.max(Math.min(...waitStarts), answeredAtMs));
}

/** Normally at least half of all lookups find a match, and half of all records are enriched. */
const MISSES_IN_A_ROW = 20;

const RECORDS_UNENRICHED = 10;

/** Free or cheap misses count only if they last this long, because a few of them mean a bad list and no fault. */
const MISSES_LAST_MS = 90 * MINUTE_MS;

function isNothingEnriched({ isShadow, brought, ...facts }: LossFacts): boolean {
  return isOnlyMissing(facts) || (!isShadow && recordsUnenriched(brought) >= RECORDS_UNENRICHED);
}

function isOnlyMissing({
  nowMs,
  answers: { misses },
  missAlarmCredits,
}: Pick<LossFacts, 'nowMs' | 'answers' | 'missAlarmCredits'>): boolean {
  if (!misses) return false;
  const hasLasted = nowMs - misses.sinceMs >= MISSES_LAST_MS && misses.count >= MISSES_IN_A_ROW;
  return hasLasted || misses.credits >= missAlarmCredits;
}

/** Counts only new records, because a repeated lookup often finds nothing new. */
function recordsUnenriched(brought: readonly YieldCount[]): number {
  if (brought.some(({ kind }) => kind === 'filled')) return 0;
  return brought
    .filter(({ purpose }) => purpose === 'live' || purpose === 'import')
    .filter(({ kind }) => kind === 'confirmed' || kind === 'unmatched' || kind === 'failed')
    .reduce((sum, { runs }) => sum + runs, 0);
}

/**
 * Number of records that are read from each index partition. Records that wait for the data service are due within the
 * hour, so they are among the first.
 */
const RECORDS_READ = 25;

/**
 * Returns the start of the longest wait for the data service, or of the oldest queued lead. A record that is being
 * retried still counts as waiting.
 */
export async function readWaitsSince(
  records: Pick<RecordItems, 'list'>,
  oldestLead: RecordState | undefined,
): Promise<number | undefined> {
  const places = LANES.flatMap((lane) => [`waiting-${lane}` as const, `running-${lane}` as const]);
  const lists = await Promise.all(
    places.map((place) => records.list({ partition: recordKind.partition(place), limit: RECORDS_READ })),
  );
  const waitStarts = lists
    .flat()
    .flatMap(({ run }) => (run?.waitsFor?.whom === 'data-service' ? [run.waitsFor.sinceMs] : []));
  if (oldestLead?.run) waitStarts.push(oldestLead.run.openedAtMs);
  return waitStarts.length > 0 ? Math.min(...waitStarts) : undefined;
}

export interface HubSpotGaugeSources {
  readonly crm: Pick<Crm, 'definitions' | 'list'>;
  readonly digest: Pick<Digest, 'keyed'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Reads the gauges that need HubSpot: another installation's mark, and the number of late notices. */
export function createHubSpotGauges(sources: HubSpotGaugeSources): () => Promise<readonly Measurement[]> {
  const { crm, clock } = sources;
  let known = { atMs: Number.NEGATIVE_INFINITY, late: 0 };
  return async () => {
    // A search counts against HubSpot's limit for the whole account, so this process searches once an hour.
    const nowMs = clock.now();
    if (nowMs >= known.atMs + HOUR_MS) known = { atMs: nowMs, late: await countLateNotices(crm, nowMs) };
    return [await readOtherInstallation(sources), measure('noticesLate', known.late)];
  };
}

/** Whether another installation was set up on this HubSpot account after ours. */
async function readOtherInstallation({ crm, digest }: HubSpotGaugeSources): Promise<Measurement> {
  const definitions = await crm.definitions(MARKED_PROPERTY.objectType);
  const seen = markSeen(definitions.get(MARKED_PROPERTY.name)?.description, digest);
  return measure('otherInstallation', seen === 'other' ? 1 : 0);
}
