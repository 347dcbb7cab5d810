import { percent } from '#shared/kernel';
import type { BackfillLimits } from '#shared/spend';
import type { Backfill, Stratum } from './schemas.ts';

/**
 * A backfill, from its quote to its score.
 *
 * quoting -> quoted -> trial -> approval -> running -> done
 *                        +----------+-----------+--> paused -> (back to the former state)
 *
 * A person can stop the backfill permanently in every state but `done`. After a pause or a stop, only requests already
 * sent are charged.
 */
export const LIVING: ReadonlySet<Backfill['state']> = new Set(['trial', 'running']);

/** Whether the backfill admits records, or has admitted records to count. */
export function isActive({ state, outstanding }: Backfill): boolean {
  return LIVING.has(state) || outstanding.length > 0;
}

/** Whether the backfill must not send any question. */
export function isHalted({ state }: Pick<Backfill, 'state'>): boolean {
  return state === 'paused' || state === 'stopped';
}

export type Kind = Pick<Stratum, 'name' | 'hitCredits' | 'missCredits' | 'maxCredits' | 'follows'>;

/** @param trialSize of the policy. A person agrees to the trial of the quote, so a later policy does not change it. */
export function newBackfill(
  id: string,
  { scope, trialSize, nowMs }: Pick<Backfill, 'scope' | 'trialSize'> & { nowMs: number },
): Backfill {
  return {
    id,
    scope,
    trialSize: { trial: trialSize.trial, trialPerStratum: trialSize.trialPerStratum },
    state: 'quoting',
    createdAtMs: nowMs,
    seen: 0,
    leftOut: {},
    strata: [],
    outstanding: [],
    damaged: 0,
    damagedIds: [],
    filled: 0,
  };
}

interface Sorted {
  /** The last record that was checked. */
  readonly afterId: string | undefined;
  readonly leftOut: readonly string[];
  /** One entry for each record to look up. */
  readonly members: readonly Kind[];
  /** Rules of the policy that admit members, one entry a member. */
  readonly rules: readonly string[];
}

/** Adds one checked page of records to the quote. */
export function sorted(backfill: Backfill, { afterId, leftOut, members, rules }: Sorted): Backfill {
  const strata = [...backfill.strata];
  for (const kind of members) {
    const index = strata.findIndex(({ name }) => name === kind.name);
    const known = strata[index];
    if (known) strata[index] = { ...known, records: known.records + 1 };
    else strata.push(newStratum(kind));
  }
  const counts = {
    leftOut: tally(backfill.leftOut, leftOut),
    ...((backfill.byRule || rules.length > 0) && { byRule: tally(backfill.byRule ?? {}, rules) }),
  };
  const seen = backfill.seen + leftOut.length + members.length;
  return { ...backfill, ...(afterId && { afterId }), seen, strata, ...counts };
}

function tally(known: Readonly<Record<string, number>>, names: readonly string[]): Record<string, number> {
  const counts = new Map(Object.entries(known));
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Returns a stratum with one record, before any lookup. */
export function newStratum(kind: Kind): Stratum {
  return { ...kind, records: 1, letIn: 0, hits: 0, misses: 0, others: 0, spent: 0, missIds: [] };
}

/**
 * Ends the quote after the last record.
 * @param matchRate match rate of the last 30 days, if any record was looked up.
 */
export function quoted(backfill: Backfill, matchRate: number | undefined): Backfill {
  const { strata } = backfill;
  const expected = matchRate === undefined ? {} : { matchRate, expected: expectedOf(strata, matchRate) };
  return { ...backfill, state: 'quoted', quote: { atMost: atMostOf(strata), ...expected } };
}

/** The highest total cost in credits: spent credits, and the highest price of each remaining record. */
export function atMostOf(strata: readonly Stratum[]): number {
  return strata.reduce((sum, stratum) => {
    return sum + stratum.spent + (stratum.records - endedIn(stratum)) * stratum.maxCredits;
  }, 0);
}

/**
 * The expected total cost in credits.
 * @param matchRate applies to strata without own results.
 */
export function expectedOf(strata: readonly Stratum[], matchRate: number): number {
  const credits = strata.reduce((sum, stratum) => {
    const rate = matchRateOf([stratum]) ?? matchRate;
    const price = rate * stratum.hitCredits + (1 - rate) * stratum.missCredits;
    return sum + stratum.spent + (stratum.records - endedIn(stratum)) * price;
  }, 0);
  return Math.round(credits);
}

/**
 * The match rate of the records. Each stratum counts by its number of records, because a trial takes relatively more
 * records of a small stratum.
 */
export function matchRateOf(strata: readonly Stratum[]): number | undefined {
  const known = strata.filter(({ hits, misses }) => hits + misses > 0);
  const records = known.reduce((sum, stratum) => sum + stratum.records, 0);
  const hits = known.reduce((sum, one) => sum + (one.records * one.hits) / (one.hits + one.misses), 0);
  return records > 0 ? hits / records : undefined;
}

/**
 * Limits that are proposed to a person: 15 percentage points fewer matches, and 5 points more damage, than the trial
 * had. Before the trial, the match rate is that of the quote.
 */
export function proposedLimits({ quote, trial }: Pick<Backfill, 'quote' | 'trial'>): BackfillLimits {
  const { matchRate, damage } = trial ?? { ...quote, damage: 0 };
  return {
    ...(matchRate !== undefined && { matchRate: Math.max(0, matchRate - 0.15) }),
    damage: Math.min(1, damage + 0.05),
  };
}

/**
 * Starts the trial, because a person agreed to it. The person can also agree beforehand to the remaining records.
 * @param agreed limits that the person gave.
 */
export function started(
  backfill: Backfill,
  {
    agreedBeforehand,
    agreed,
    by: startedBy,
    nowMs: startedAtMs,
  }: { agreedBeforehand: boolean; agreed: BackfillLimits; by?: string; nowMs: number },
): Backfill | undefined {
  if (backfill.state !== 'quoted') return undefined;
  return {
    ...backfill,
    state: 'trial',
    agreedBeforehand,
    agreed,
    startedAtMs,
    ...(startedBy && { startedBy }),
  };
}

/**
 * Continues after the trial, because a person agreed to its results.
 * @param given limits that the person gave. The proposed limits replace missing ones.
 */
export function approved(backfill: Backfill, given: BackfillLimits): Backfill | undefined {
  if (backfill.state !== 'approval') return undefined;
  return {
    ...backfill,
    state: 'running',
    agreed: { ...proposedLimits(backfill), ...backfill.agreed, ...given },
  };
}

export function paused(backfill: Backfill, pause: Omit<NonNullable<Backfill['pause']>, 'from'>): Backfill {
  const { state: from } = backfill;
  if (from !== 'trial' && from !== 'approval' && from !== 'running') return backfill;
  const { holding: _, ...rest } = backfill;
  return { ...rest, state: 'paused', pause: { ...pause, from } };
}

/** Resumes a paused backfill. The limit that paused it does not pause it again. */
export function resumed(backfill: Backfill): Backfill | undefined {
  const { pause, postponed = [], ...rest } = backfill;
  if (backfill.state !== 'paused' || !pause) return undefined;
  const agreed = { ...rest.agreed, ...(pause.by !== 'person' && NO_LIMITS[pause.by]) };
  return { ...rest, state: pause.from, agreed, outstanding: [...rest.outstanding, ...postponed] };
}

const NO_LIMITS = { 'match-rate': { matchRate: 0 }, damage: { damage: 1 } } as const;

/** Stops the backfill permanently. It sends no more questions. */
export function stopped(backfill: Backfill, nowMs: number): Backfill | undefined {
  if (backfill.state === 'done' || backfill.state === 'stopped') return undefined;
  const { holding: _, pause: _pause, postponed: _postponed, ...rest } = backfill;
  return { ...rest, state: 'stopped', endedAtMs: nowMs };
}

/** Returns the number of trial records for each stratum: proportional to its size, and at least the minimum. */
export function trialOf({ strata, trialSize }: Pick<Backfill, 'strata' | 'trialSize'>): readonly number[] {
  const { trial, trialPerStratum } = trialSize;
  const sizes = strata.map((stratum) => (stratum.follows ? 0 : stratum.records));
  const totalSize = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) =>
    Math.min(size, Math.max(trialPerStratum, Math.round((trial * size) / totalSize))),
  );
}

/**
 * Returns how many records of each stratum may be admitted in total. Followers are admitted after all other records
 * have ended.
 */
function goalOf(backfill: Backfill): readonly number[] {
  const { strata, state } = backfill;
  if (state === 'trial') return trialOf(backfill);
  const haveOthersEnded = strata.every((stratum) => stratum.follows || endedIn(stratum) === stratum.records);
  return strata.map(({ follows, records }) => (follows && !haveOthersEnded ? 0 : records));
}

/**
 * Returns how many records of each stratum may be admitted now. Strata advance together, so that the looked-up records
 * stay a representative sample.
 */
export function nextPlaces(backfill: Backfill, room: number): readonly number[] {
  const { strata, state } = backfill;
  if (!LIVING.has(state)) return strata.map(() => 0);
  const goal = goalOf(backfill);
  const left = strata.map(({ letIn }, index) => Math.max(0, (goal[index] ?? 0) - letIn));
  const totalLeft = left.reduce((sum, count) => sum + count, 0);
  if (totalLeft <= room) return left;
  return left.map((count) => Math.floor((count * room) / totalLeft));
}

/** Adds admitted members. The members of one stratum must come in the order of their keyed hash. */
export function admitMembers(
  backfill: Backfill,
  taken: readonly { readonly id: string; readonly order: number; readonly stratum: number; runId: string }[],
): Backfill {
  const strata = backfill.strata.map((stratum, index) => {
    const ofStratum = taken.filter((member) => member.stratum === index);
    const last = ofStratum.at(-1);
    if (!last) return stratum;
    return { ...stratum, letIn: stratum.letIn + ofStratum.length, taken: { order: last.order, id: last.id } };
  });
  const added = taken.map(({ id, stratum, runId }) => ({ id, stratum, runId }));
  return { ...backfill, strata, outstanding: [...backfill.outstanding, ...added] };
}

/**
 * Corrects the count of a stratum that has fewer members than counted. This can happen because a record may have been
 * sorted twice.
 */
export function exhausted(backfill: Backfill, stratum: number): Backfill {
  const strata = backfill.strata.map((each, index) =>
    index === stratum ? { ...each, records: each.letIn } : each,
  );
  return { ...backfill, strata };
}

export interface MemberEnd {
  readonly runId: string;
  /** `withdrawn`: the backfill was stopped or paused before the record was looked up. */
  readonly kind: 'hit' | 'miss' | 'other' | 'withdrawn';
  readonly credits: number;
  readonly isDamage: boolean;
  /** Whether a value was written. */
  readonly isFilled?: boolean;
  /** Why the record has neither match nor miss. */
  readonly reason?: string | undefined;
}

/** Reason of all records whose lookup failed. The records' own reasons differ, and can contain values. */
export const FAILED_REASON = 'The lookup failed, its charge is in doubt, or HubSpot refused the values.';

/** Number of examples that a person needs. */
const EXAMPLES = 5;

/** Ids of records that were damaged or had no match. */
export function examplesOf({ damagedIds, strata }: Pick<Backfill, 'damagedIds' | 'strata'>): string[] {
  return [...new Set([...damagedIds, ...strata.flatMap(({ missIds }) => missIds)])].slice(0, EXAMPLES);
}

/** Counts ended runs. */
export function countEnds(backfill: Backfill, ends: readonly MemberEnd[]): Backfill {
  const byRun = new Map(ends.map((end) => [end.runId, end]));
  const strata = [...backfill.strata];
  let { damaged, filled } = backfill;
  const damagedIds = [...backfill.damagedIds];
  const postponed = [...(backfill.postponed ?? [])];
  const reasons: string[] = [];
  for (const started of backfill.outstanding) {
    const { id, stratum: index, runId } = started;
    const end = byRun.get(runId);
    const stratum = strata[index];
    if (end?.kind === 'withdrawn' && backfill.state === 'paused') postponed.push(started);
    if (!end || !stratum || end.kind === 'withdrawn') continue;
    strata[index] = withEnd(stratum, end, id);
    if (end.kind === 'other' && end.reason !== undefined) reasons.push(end.reason);
    if (end.isFilled) filled += 1;
    if (!end.isDamage) continue;
    damaged += 1;
    damagedIds.push(id);
  }
  const outstanding = backfill.outstanding.filter(({ runId }) => !byRun.has(runId));
  const known = {
    ...backfill,
    strata,
    outstanding,
    damaged,
    damagedIds: damagedIds.slice(-EXAMPLES),
    filled,
    ...(reasons.length > 0 && { withoutResult: tally(backfill.withoutResult ?? {}, reasons) }),
  };
  return postponed.length > 0 ? { ...known, postponed } : known;
}

function withEnd(stratum: Stratum, { kind, credits }: MemberEnd, id: string): Stratum {
  const spent = stratum.spent + credits;
  if (kind === 'hit') return { ...stratum, spent, hits: stratum.hits + 1 };
  if (kind === 'other') return { ...stratum, spent, others: stratum.others + 1 };
  const missIds = [...stratum.missIds, id].slice(-EXAMPLES);
  return { ...stratum, spent, misses: stratum.misses + 1, missIds };
}

/** Why no record is admitted. `code` is a wait reason of records, or `hubspot-reserved`. */
export interface Hold {
  readonly code: string;
  readonly reason: string;
}

/** Stores why no record is admitted, or removes the reason. */
export function withHoldReason(backfill: Backfill, hold: Hold | undefined, nowMs: number): Backfill {
  const { holding, ...rest } = backfill;
  if (!hold) return rest;
  return holding?.reason === hold.reason ? backfill : { ...rest, holding: { ...hold, sinceMs: nowMs } };
}

export function spentOf({ strata }: Pick<Backfill, 'strata'>): number {
  return strata.reduce((sum, { spent }) => sum + spent, 0);
}

function endedIn({ hits, misses, others }: Stratum): number {
  return hits + misses + others;
}

/** Number of ended records between two checks of the limits after the trial. */
const CHECK_EVERY = 100;

/** Decides from the counts whether a limit pauses the backfill, the trial has ended, or the backfill is done. */
export function judged(backfill: Backfill, nowMs: number): Backfill {
  const { state, strata, outstanding, checkedAt = 0 } = backfill;
  if (!LIVING.has(state)) return backfill;
  if (outstanding.length === 0 && strata.every(({ records, letIn }) => letIn >= records)) {
    const { holding: _, ...rest } = backfill;
    return { ...rest, state: 'done', endedAtMs: nowMs };
  }
  const ended = endedOf(strata);
  if (state === 'running') {
    if (ended < checkedAt + CHECK_EVERY) return backfill;
  } else if (outstanding.length > 0 || nextPlaces(backfill, Number.MAX_SAFE_INTEGER).some((n) => n > 0))
    return backfill;
  const checked = { ...backfill, checkedAt: ended };
  const excess = excessOf(checked, checked.agreed);
  if (excess) return paused(checked, { ...excess, atMs: nowMs });
  return state === 'trial' ? trialEnded(checked) : checked;
}

function endedOf(strata: readonly Stratum[]): number {
  return strata.reduce((sum, stratum) => sum + endedIn(stratum), 0);
}

function resultsOf({ strata, damaged }: Backfill): NonNullable<Backfill['trial']> {
  const matchRate = matchRateOf(strata);
  const ended = endedOf(strata);
  return {
    ...(matchRate !== undefined && { matchRate, expected: expectedOf(strata, matchRate) }),
    damage: ended > 0 ? damaged / ended : 0,
  };
}

/** A person who agreed beforehand agreed to the limits that the quote proposes. Free records need no consent. */
function trialEnded(backfill: Backfill): Backfill {
  const known = { ...backfill, trial: resultsOf(backfill) };
  const isAgreed =
    backfill.agreedBeforehand === true &&
    excessOf(backfill, { ...proposedLimits(backfill), ...backfill.agreed }) === undefined;
  const approval = { ...known, state: 'approval' } as const;
  const isRestFree = atMostOf(backfill.strata) === spentOf(backfill);
  return isAgreed || isRestFree ? (approved(approval, {}) ?? approval) : approval;
}

type Excess = Pick<NonNullable<Backfill['pause']>, 'by' | 'reason' | 'examples'>;

/** Compares the results so far with the limits. */
function excessOf(backfill: Backfill, limits: BackfillLimits = {}): Excess | undefined {
  const { matchRate, damage } = resultsOf(backfill);
  if (limits.damage !== undefined && damage > limits.damage) {
    const what = 'of the records were contradicted by their answer, or refused by HubSpot';
    const reason = `${percent(damage)} ${what}. Agreed: at most ${percent(limits.damage)}.`;
    return { by: 'damage', reason, examples: [...backfill.damagedIds] };
  }
  if (limits.matchRate === undefined || matchRate === undefined || matchRate >= limits.matchRate)
    return undefined;
  const examples = backfill.strata.flatMap(({ missIds }) => missIds).slice(-EXAMPLES);
  const reason = `${percent(matchRate)} of the lookups found a match. Agreed: at least ${percent(limits.matchRate)}.`;
  return { by: 'match-rate', reason, examples };
}
