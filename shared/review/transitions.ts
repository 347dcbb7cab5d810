import type { RecordName } from '#shared/crm';
import { type Finding, type FindingKind, type FindingState, MAX_OTHERS, type Review } from './schemas.ts';

/**
 * ```
 * none -> open -> accepted -> done
 *          |  |      +------> gone -> open          (found again)
 *          |  +-> rejected                          (the same is never found again)
 *          +----> gone
 * ```
 * `accepted` is still to be carried out, `done` is. `gone`: it is no longer so, or nothing can be done about it any
 * more. Another answer, or another duplicate, is another finding: it takes the place of the one before, whatever that
 * one's state.
 */
export type NewFinding = Pick<
  Finding,
  'kind' | 'reason' | 'answer' | 'properties' | 'others' | 'purpose' | 'before'
>;

/** Kinds that are found again with each check of an answer; a finding that is not found again is gone. */
const OF_ANSWERS: ReadonlySet<FindingKind> = new Set([
  'contradiction',
  'job-change',
  'association',
  'proposal',
]);

/** Stores the findings about a record's answer. @returns undefined if they change nothing. */
export function looked(
  review: Review | undefined,
  { record, found, nowMs }: Look<readonly NewFinding[]>,
): Review | undefined {
  const known = review?.findings ?? [];
  const kept = known
    .filter(({ kind }) => !found.some((each) => each.kind === kind))
    .map((finding) => (OF_ANSWERS.has(finding.kind) ? notFound(finding, nowMs) : finding));
  return changed(review, { record, nowMs }, [...kept, ...found.map((each) => put(known, each, nowMs))]);
}

/** Other records of the same person. @returns nothing where that is known already. */
export function foundDuplicate(
  review: Review | undefined,
  { record, found, nowMs }: Look<NewFinding>,
): Review | undefined {
  const known = review?.findings ?? [];
  const rest = known.filter(({ kind }) => kind !== found.kind);
  const before = known.find(({ kind }) => kind === found.kind);
  const all = new Set([...(before?.others ?? []), ...(found.others ?? [])]);
  const others = [...all].slice(0, MAX_OTHERS).sort();
  return changed(review, { record, nowMs }, [...rest, put(known, { ...found, others }, nowMs)]);
}

/** The record is no more, or was merged into another one. */
export function recordGone(review: Review | undefined, nowMs: number): Review | undefined {
  return (
    review &&
    changed(
      review,
      { record: review, nowMs },
      review.findings.map((finding) => (isUndecided(finding) ? ended(finding, 'gone', nowMs) : finding)),
    )
  );
}

/** Another record has become part of this one. */
export function absorbed(review: Review | undefined, id: string, nowMs: number): Review | undefined {
  const findings = review?.findings.map((finding): Finding => {
    if (!finding.others?.includes(id)) return finding;
    const others = finding.others.filter((other) => other !== id);
    const rest = { ...finding, others };
    return others.length === 0 && isUndecided(finding) ? ended(rest, 'done', nowMs) : rest;
  });
  return review && findings && changed(review, { record: review, nowMs }, findings);
}

export type Decided =
  | { readonly kind: 'decided'; readonly review: Review; readonly finding: Finding }
  /** No finding of the kind, or another decision came first. */
  | { readonly kind: 'refused'; readonly state: FindingState | 'none' };

/** From which states a step may be taken. A decision may be repeated: an interrupted one is still carried out. */
const FROM: Readonly<Record<Exclude<FindingState, 'open'>, readonly FindingState[]>> = {
  accepted: ['open', 'accepted'],
  rejected: ['open', 'rejected'],
  done: ['accepted'],
  gone: ['open', 'accepted'],
};

/** A person decides, or what was decided has been carried out. */
export function decided(
  review: Review | undefined,
  { kind, to, nowMs }: { kind: FindingKind; to: Exclude<FindingState, 'open'>; nowMs: number },
): Decided {
  const finding = review?.findings.find((each) => each.kind === kind);
  if (!review || !finding || !FROM[to].includes(finding.state))
    return { kind: 'refused', state: finding?.state ?? 'none' };
  const next = ended(finding, to, nowMs);
  const findings = review.findings.map((each) => (each === finding ? next : each));
  return { kind: 'decided', review: { ...review, findings, changedAtMs: nowMs }, finding: next };
}

/** What is left of it, or stands in its place, once the record's person is forgotten. */
export function purgedReview({ objectType, id }: RecordName, nowMs: number): Review {
  return { objectType, id, findings: [], changedAtMs: nowMs, forgotten: true };
}

export function isUndecided({ state }: Pick<Finding, 'state'>): boolean {
  return state === 'open' || state === 'accepted';
}

interface Look<F> {
  readonly record: RecordName;
  readonly found: F;
  readonly nowMs: number;
}

function put(known: readonly Finding[], found: NewFinding, nowMs: number): Finding {
  const finding = known.find(({ kind }) => kind === found.kind);
  if (finding && isSame(finding, found) && finding.state !== 'gone') return finding;
  const before = finding && isUndecided(finding) ? finding.before : found.before;
  const { before: _, ...rest } = found;
  return { ...rest, state: 'open', ...(before && { before }), foundAtMs: nowMs };
}

function isSame(a: NewFinding, b: NewFinding): boolean {
  return (
    a.answer?.questionKey === b.answer?.questionKey &&
    a.answer?.askedAtMs === b.answer?.askedAtMs &&
    [...(a.others ?? [])].sort().join() === [...(b.others ?? [])].sort().join()
  );
}

/** What was accepted and is not found any more stands in HubSpot. */
function notFound(finding: Finding, nowMs: number): Finding {
  if (!isUndecided(finding)) return finding;
  return ended(finding, finding.state === 'accepted' ? 'done' : 'gone', nowMs);
}

function ended(finding: Finding, state: FindingState, nowMs: number): Finding {
  return { ...finding, state, decidedAtMs: nowMs };
}

function changed(
  review: Review | undefined,
  { record, nowMs }: Pick<Look<unknown>, 'record' | 'nowMs'>,
  findings: readonly Finding[],
): Review | undefined {
  if (review?.forgotten) return undefined;
  const known = review?.findings ?? [];
  const isAsBefore = findings.length === known.length && findings.every((finding) => known.includes(finding));
  if (isAsBefore) return undefined;
  const { objectType, id } = record;
  return { objectType, id, findings, changedAtMs: nowMs };
}
