import { askerWords } from '#shared/crm';
import type { Explanation } from '#shared/ownership';
import { explanationText, shownExplanation } from '#shared/records';
import { FINDING_KINDS, type Finding, type FindingKind, type FindingState, type Review } from './schemas.ts';
import { isUndecided } from './transitions.ts';

/** The reason of a finding for a page, which shows records by their names. */
export interface FindingWords {
  readonly code: string;
  readonly reason: string;
  /** The other records that the reason is about: `contacts#123`. */
  readonly others: readonly string[];
}

/** Returns the reason without ids of records. */
export function findingWords(reason: Explanation): FindingWords {
  const { code, params } = reason;
  const records = code === 'duplicate' ? [params?.['records'] ?? []].flat() : [];
  if (records.length === 0) return { code, reason: explanationText(reason), others: [] };
  return { code, reason: SAME_IDENTITY, others: records.map((each) => String(each).replace('/', '#')) };
}

const SAME_IDENTITY = 'Its address or profile is also that of another record.';

/** One finding as a list shows it. It holds no values. */
export interface ReviewLine {
  /** Name by which a person decides the finding, such as `contacts/123/proposal`. */
  readonly id: string;
  /** `contacts/123` */
  readonly record: string;
  readonly kind: FindingKind;
  readonly state: FindingState;
  /** ISO 8601. */
  readonly since: string;
  /** Absent before a decision. ISO 8601. */
  readonly decidedAt?: string | undefined;
  readonly decidedBy?: string | undefined;
  readonly code: string;
  readonly params?: Explanation['params'];
  readonly notes?: Explanation['notes'];
  /** The sentence of the code. */
  readonly reason: string;
  /** Names of the properties that would be written. */
  readonly properties: readonly string[];
}

/**
 * Returns the undecided findings of these records, of one kind or of all kinds. Within a record, the most serious
 * finding comes first.
 */
export function reviewLines(reviews: readonly Review[], kind?: FindingKind): ReviewLine[] {
  return reviews.flatMap((review) =>
    FINDING_KINDS.flatMap((each) => review.findings.filter((finding) => finding.kind === each))
      .filter((finding) => isUndecided(finding) && (kind === undefined || finding.kind === kind))
      .map((finding) => reviewLine(review, finding)),
  );
}

/** Says how a finding was decided, such as `accepted by User 12345`. A finding that ended by itself has no decider. */
export function decisionWords(state: FindingState, by: string | undefined): string {
  if (by === undefined) return state;
  return `${state === 'done' ? 'accepted' : state} by ${askerWords(by)}`;
}

export function reviewLine(
  { objectType, id }: Pick<Review, 'objectType' | 'id'>,
  finding: Finding,
): ReviewLine {
  const { kind, state, reason, foundAtMs, decidedAtMs, decidedBy, properties = [] } = finding;
  const record = `${objectType}/${id}`;
  return {
    id: `${record}/${kind}`,
    record,
    kind,
    state,
    ...shownExplanation(reason),
    properties,
    since: new Date(foundAtMs).toISOString(),
    ...(decidedAtMs !== undefined && { decidedAt: new Date(decidedAtMs).toISOString(), decidedBy }),
  };
}
