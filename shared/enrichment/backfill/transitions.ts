import { endedIn, estimate, spentIn } from './estimate.ts';
import type { Backfill, Stratum } from './schemas.ts';

/**
 * A backfill, from its quote to its score.
 *
 * quoting -> quoted -> canary -> approval -> running -> done
 * |          |           | +----------+-----------+--> paused -> (back to the former state)
 *
 * A person can stop the backfill permanently in every state but `done`. After a pause or a stop, only requests already
 * sent are charged.
 */
export const LIVING: ReadonlySet<Backfill['state']> = new Set(['canary', 'running']);

/** Whether the backfill admits records, or has admitted records to count. */
export function isActive({ state, outstanding }: Backfill): boolean {
  return LIVING.has(state) || outstanding.length > 0;
}

/** Whether the backfill must not send any question. */
export function isHalted({ state }: Pick<Backfill, 'state'>): boolean {
  return state === 'paused' || state === 'stopped';
}

export type Kind = Pick<
  Stratum,
  'name' | 'hitCredits' | 'missCredits' | 'minCredits' | 'maxCredits' | 'questions' | 'follows' | 'prior'
>;

export function newBackfill(
  id: string,
  { scope, nowMs }: { scope: Backfill['scope']; nowMs: number },
): Backfill {
  return {
    id,
    scope,
    state: 'quoting',
    createdAtMs: nowMs,
    seen: 0,
    leftOut: {},
    strata: [],
    outstanding: [],
    damaged: 0,
    damagedIds: [],
  };
}

export interface Sorted {
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
  const none = {
    letIn: 0,
    hits: 0,
    servedHits: 0,
    misses: 0,
    others: 0,
    hitSpent: 0,
    missSpent: 0,
    otherSpent: 0,
  };
  return { ...kind, ...none, records: 1, missIds: [] };
}

/** Ends the quote after the last record, with the estimated cost. */
export function quoted(backfill: Backfill): Backfill {
  return { ...backfill, state: 'quoted', quote: estimate(backfill.strata) };
}

/**
 * Starts the canary, because a person agreed to it. The person can also agree beforehand to the remaining records, up
 * to the quoted price.
 */
export function started(
  backfill: Backfill,
  { agreedBeforehand, nowMs }: { agreedBeforehand: boolean; nowMs: number },
): Backfill | undefined {
  if (backfill.state !== 'quoted') return undefined;
  return { ...backfill, state: 'canary', agreedBeforehand, startedAtMs: nowMs };
}

/** Continues after the canary, because a person agreed to the new range. */
export function approved(backfill: Backfill): Backfill | undefined {
  return backfill.state === 'approval' ? { ...backfill, state: 'running' } : undefined;
}

export function paused(backfill: Backfill, pause: Omit<NonNullable<Backfill['pause']>, 'from'>): Backfill {
  const { state: from } = backfill;
  if (from !== 'canary' && from !== 'approval' && from !== 'running') return backfill;
  const { holding: _, ...rest } = backfill;
  return { ...rest, state: 'paused', pause: { ...pause, from } };
}

/** Resumes a paused backfill. This overrules the rule that paused it. */
export function resumed(backfill: Backfill): Backfill | undefined {
  const { pause, postponed = [], ...rest } = backfill;
  if (backfill.state !== 'paused' || !pause) return undefined;
  const overruled = pause.by === 'person' ? (rest.overruled ?? []) : [...(rest.overruled ?? []), pause.by];
  const outstanding = [...rest.outstanding, ...postponed];
  return { ...rest, state: pause.from, overruled, outstanding };
}

/** Stops the backfill permanently. It sends no more questions. */
export function stopped(backfill: Backfill, nowMs: number): Backfill | undefined {
  if (backfill.state === 'done' || backfill.state === 'stopped') return undefined;
  const { holding: _, pause: _pause, postponed: _postponed, ...rest } = backfill;
  return { ...rest, state: 'stopped', endedAtMs: nowMs };
}

export interface CanarySize {
  /** Number of records in total (`records`), and minimum number for each stratum. */
  readonly records: number;
  readonly perStratum: number;
}

/** Returns the number of canary records for each stratum: proportional to its size, and at least the minimum. */
export function canaryOf(strata: readonly Stratum[], { records, perStratum }: CanarySize): readonly number[] {
  const sizes = strata.map((stratum) => (stratum.follows ? 0 : stratum.records));
  const totalSize = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) => Math.min(size, Math.max(perStratum, Math.round((records * size) / totalSize))));
}

/**
 * Returns how many records of each stratum may be admitted in total. Followers are admitted after all other records
 * have ended.
 */
function goalOf({ strata, state }: Backfill, canary: CanarySize): readonly number[] {
  if (state === 'canary') return canaryOf(strata, canary);
  const haveOthersEnded = strata.every((stratum) => stratum.follows || endedIn(stratum) === stratum.records);
  return strata.map(({ follows, records }) => (follows && !haveOthersEnded ? 0 : records));
}

/**
 * Returns how many records of each stratum may be admitted now. Strata advance together, so that the looked-up records
 * stay a representative sample.
 */
export function nextPlaces(backfill: Backfill, canary: CanarySize, room: number): readonly number[] {
  const { strata, state } = backfill;
  if (!LIVING.has(state)) return strata.map(() => 0);
  const goal = goalOf(backfill, canary);
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
  /** Why the record has neither match nor miss. */
  readonly reason?: string | undefined;
}

/** Reason of all records whose lookup failed. The records' own reasons differ, and can contain values. */
export const FAILED_REASON = 'The lookup failed, its charge is in doubt, or HubSpot refused the values.';

/** Number of examples that a person needs. */
const EXAMPLES = 5;

/** Counts ended runs. */
export function countEnds(backfill: Backfill, ends: readonly MemberEnd[]): Backfill {
  const byRun = new Map(ends.map((end) => [end.runId, end]));
  const strata = [...backfill.strata];
  let { damaged } = backfill;
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
    if (!end.isDamage) continue;
    damaged += 1;
    damagedIds.push(id);
  }
  const outstanding = backfill.outstanding.filter(({ runId }) => !byRun.has(runId));
  const known = {
    ...{ ...backfill, strata, outstanding, damaged, damagedIds: damagedIds.slice(-EXAMPLES) },
    ...(reasons.length > 0 && { withoutResult: tally(backfill.withoutResult ?? {}, reasons) }),
  };
  return postponed.length > 0 ? { ...known, postponed } : known;
}

function withEnd(stratum: Stratum, { kind, credits }: MemberEnd, id: string): Stratum {
  if (kind === 'hit') {
    const isServed = credits === 0 && stratum.hitCredits > 0;
    const servedHits = stratum.servedHits + (isServed ? 1 : 0);
    return { ...stratum, hits: stratum.hits + 1, servedHits, hitSpent: stratum.hitSpent + credits };
  }
  if (kind === 'other')
    return { ...stratum, others: stratum.others + 1, otherSpent: stratum.otherSpent + credits };
  const missIds = [...stratum.missIds, id].slice(-EXAMPLES);
  return { ...stratum, misses: stratum.misses + 1, missSpent: stratum.missSpent + credits, missIds };
}

/** Stores why no record is admitted, or removes the reason. */
export function withHoldReason(backfill: Backfill, reason: string | undefined, nowMs: number): Backfill {
  const { holding, ...rest } = backfill;
  if (reason === undefined) return rest;
  return holding?.reason === reason ? backfill : { ...rest, holding: { reason, sinceMs: nowMs } };
}

export function spentOf({ strata }: Backfill): number {
  return strata.reduce((sum, stratum) => sum + spentIn(stratum), 0);
}
