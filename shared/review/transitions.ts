import type { RecordName } from '#shared/crm';
import { type Finding, type FindingKind, type FindingState, MAX_OTHERS, type Review } from './schemas.ts';

/**
 * States of a finding:
 *
 * ```
 * none -> open -> accepted -> done
 *          | |       |
 *          | |       +------> gone -> open   (found again)
 *          | +-> rejected                    (the same finding is never found again)
 *          +----> gone
 * ```
 *
 * An `accepted` finding must still be carried out, and so must a `rejected` one with `isPending`. A `done` finding has
 * been carried out. The first decision counts: a repetition keeps its person and time. A `gone` finding is no longer
 * true, or can no longer be carried out. A finding from another answer, or with other duplicates, replaces the former
 * finding of its kind, whatever the former state is.
 */
export type NewFinding = Pick<
  Finding,
  'kind' | 'reason' | 'answer' | 'properties' | 'others' | 'purpose' | 'before'
>;

/**
 * Kinds of findings that each check of an answer looks for again. A finding that the check does not repeat has ended.
 */
const ANSWER_KINDS: ReadonlySet<FindingKind> = new Set([
  'contradiction',
  'job-change',
  'association',
  'proposal',
]);

/**
 * Stores the findings about a record's answer.
 * @returns `undefined` if they change nothing.
 */
export function withFindingsOfAnswer(
  review: Review | undefined,
  { record, found, nowMs }: Look<readonly NewFinding[]>,
): Review | undefined {
  const known = review?.findings ?? [];
  const kept = known
    .filter(({ kind }) => !found.some((each) => each.kind === kind))
    .map((finding) => (ANSWER_KINDS.has(finding.kind) ? endedIfUndecided(finding, nowMs) : finding));
  return changed(review, { record, nowMs }, [
    ...kept,
    ...found.map((each) => newOrKnown(known, each, nowMs)),
  ]);
}

/**
 * Stores other records of the same person.
 * @returns `undefined` if they are already known.
 */
export function foundDuplicate(
  review: Review | undefined,
  { record, found, nowMs }: Look<NewFinding>,
): Review | undefined {
  const known = review?.findings ?? [];
  const otherFindings = known.filter(({ kind }) => kind !== found.kind);
  const earlier = known.find(({ kind }) => kind === found.kind);
  const allOthers = new Set([...(earlier?.others ?? []), ...(found.others ?? [])]);
  const others = [...allOthers].slice(0, MAX_OTHERS).sort();
  return changed(review, { record, nowMs }, [
    ...otherFindings,
    newOrKnown(known, { ...found, others }, nowMs),
  ]);
}

/** Ends the findings of a record that was deleted, or merged into another one. */
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

/** If a record was merged into this one, removes it from the list of duplicates. */
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
  /** The record has no finding of this kind, or another decision came first. */
  | ({ readonly kind: 'refused'; readonly state: FindingState | 'none' } & Pick<
      Finding,
      'decidedAtMs' | 'decidedBy'
    >);

/**
 * Former states that allow each new state. A decision can be repeated until it is carried out, so that an interrupted
 * decision is not lost.
 */
const ALLOWED_FROM: Readonly<Record<Exclude<FindingState, 'open'>, readonly FindingState[]>> = {
  accepted: ['open', 'accepted'],
  rejected: ['open', 'rejected'],
  done: ['accepted', 'rejected'],
  gone: ['open', 'accepted'],
};

/** Stores a person's decision, or with `done` that it was carried out. */
export function decided(
  review: Review | undefined,
  {
    kind,
    to,
    by,
    nowMs,
  }: { kind: FindingKind; to: Exclude<FindingState, 'open'>; by?: string | undefined; nowMs: number },
): Decided {
  const finding = review?.findings.find((each) => each.kind === kind);
  if (!review || !finding) return { kind: 'refused', state: 'none' };
  const { isPending, ...rest } = finding;
  const { state, decidedAtMs, decidedBy = by } = rest;
  const isCarriedOut = state === 'rejected' && !isPending;
  if (isCarriedOut || !ALLOWED_FROM[to].includes(state))
    return { kind: 'refused', state, decidedAtMs, decidedBy: rest.decidedBy };
  const decidedFinding = {
    ...ended(rest, state === 'rejected' ? state : to, decidedAtMs ?? nowMs),
    ...(decidedBy !== undefined && { decidedBy }),
    ...(to === 'rejected' && { isPending: true as const }),
  };
  const findings = review.findings.map((each) => (each === finding ? decidedFinding : each));
  return { kind: 'decided', review: { ...review, findings, changedAtMs: nowMs }, finding: decidedFinding };
}

/** Returns the review that remains when the data of the record's person are erased. */
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

function newOrKnown(known: readonly Finding[], found: NewFinding, nowMs: number): Finding {
  const finding = known.find(({ kind }) => kind === found.kind);
  if (finding && isSameFinding(finding, found) && finding.state !== 'gone') return finding;
  const before = finding && isUndecided(finding) ? finding.before : found.before;
  const { before: _, ...rest } = found;
  return { ...rest, state: 'open', ...(before && { before }), foundAtMs: nowMs };
}

function isSameFinding(a: NewFinding, b: NewFinding): boolean {
  return (
    a.answer?.questionKey === b.answer?.questionKey &&
    a.answer?.askedAtMs === b.answer?.askedAtMs &&
    [...(a.others ?? [])].sort().join() === [...(b.others ?? [])].sort().join()
  );
}

/** Ends a finding that is not found again. If it was accepted, its values are in HubSpot, so it is done. */
function endedIfUndecided(finding: Finding, nowMs: number): Finding {
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
