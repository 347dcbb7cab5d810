import type { RecordName } from '#shared/crm';
import type { Explanation, KeptProperty } from '#shared/ownership';
import type { Decided, Finding, FindingKind } from '#shared/review';
import type { EnrichmentServices, RecordClaim } from '../services.ts';

/** Name of a finding. A record has at most one finding of each kind. */
export interface FindingName {
  readonly record: RecordName;
  readonly kind: FindingKind;
  /** The person who decides, such as `user:12345`. */
  readonly decidedBy?: string | undefined;
}

export type Acceptance = FindingName &
  (
    | {
        readonly result: 'done';
        readonly reason: Explanation;
        /** Names of the written properties, without statuses. */
        readonly written: readonly string[];
        /** Properties that now hold a person's value, and keep it. */
        readonly kept: readonly KeptProperty[];
      }
    /** The finding no longer has a value to write. */
    | { readonly result: 'gone'; readonly reason: Explanation }
    /** The finding is accepted but not carried out yet. A person accepts it again to retry. */
    | { readonly result: 'later'; readonly reason: Explanation }
    /** The finding was already decided, or does not exist. */
    | { readonly result: 'refused'; readonly state: Extract<Decided, { kind: 'refused' }>['state'] }
  );

/** An accepted finding. We hold its record, so that no other worker writes to the record. */
export interface HeldFinding {
  readonly name: FindingName;
  readonly finding: Finding;
  readonly answer: NonNullable<Finding['answer']>;
  readonly held: RecordClaim;
}

/** Closes a finding that can no longer be carried out. */
export async function gone(
  { reviews }: Pick<EnrichmentServices, 'reviews'>,
  name: FindingName,
  reason: Explanation,
): Promise<Acceptance> {
  await reviews.decide(name.record, name.kind, 'gone');
  return { ...name, result: 'gone', reason };
}
