import type { RecordName } from '#shared/crm';
import type { KeptProperty } from '#shared/ownership';
import type { Decided, Finding, FindingKind } from '#shared/review';
import type { EnrichmentServices, RecordClaim } from '../services.ts';

/** Which finding: of a record there is one of a kind. */
export interface FindingName {
  readonly record: RecordName;
  readonly kind: FindingKind;
}

export type Acceptance = FindingName &
  (
    | {
        readonly result: 'done';
        /** What became of the record, for a person. */
        readonly reason: string;
        /** Names of what was written. */
        readonly written: readonly string[];
        /** What is a person's by now, and stays. */
        readonly kept: readonly KeptProperty[];
      }
    /** There is nothing to be written any more. */
    | { readonly result: 'gone'; readonly reason: string }
    /** It is accepted and not carried out yet: to be accepted once more. */
    | { readonly result: 'later'; readonly reason: string }
    /** Decided already, or no such finding. */
    | { readonly result: 'refused'; readonly state: Extract<Decided, { kind: 'refused' }>['state'] }
  );

/** An accepted finding whose record is held, so that no other worker writes to it. */
export interface Carrying {
  readonly name: FindingName;
  readonly finding: Finding;
  readonly answer: NonNullable<Finding['answer']>;
  readonly held: RecordClaim;
}

/** It cannot be carried out any more. */
export async function gone(
  { reviews }: Pick<EnrichmentServices, 'reviews'>,
  name: FindingName,
  reason: string,
): Promise<Acceptance> {
  await reviews.decide(name.record, name.kind, 'gone');
  return { ...name, result: 'gone', reason };
}
