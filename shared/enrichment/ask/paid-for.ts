import type { CrmRecord } from '#shared/crm/crm-record.ts';
import { createMark } from '#shared/field-policy/last-written.ts';
import { type Question, questionKey } from '#shared/questions/question.ts';
import type { RecordState, Run } from '#shared/records/schemas.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { EnrichmentServices } from '../services.ts';

type Services = Pick<EnrichmentServices, 'policy' | 'digest' | 'clock'>;

interface Known {
  readonly state: RecordState;
  readonly record: CrmRecord;
}

/** Which question is answered already: by this run, or by an earlier one about the very same record, not long ago. */
export function paidFor(services: Services, { run, ...known }: Known & { readonly run: Run }) {
  const { answeredQuestion } = known.state;
  const key = run.answeredQuestion ?? (isFresh(services, known) ? answeredQuestion : undefined);
  return (question: Question) => key !== undefined && questionKey(question, services.digest) === key;
}

/** Neither stale nor changed by anybody since it was last enriched. */
export function isFresh({ policy, digest, clock }: Services, { state, record }: Known): boolean {
  if ((state.staleAtMs ?? 0) <= clock.now()) return false;
  return state.fingerprint === fingerprintOf(record, { policy, digest });
}

/** Whether somebody emptied a property by an undo: nothing is bought to fill it again. */
export function closedTo({ digest }: Pick<Services, 'digest'>, { pinned = {} }: RecordState) {
  // A blank is a blank, whatever the property's type.
  const mark = createMark({ definitions: new Map(), hash: digest.keyed });
  return (property: string) => Object.hasOwn(pinned, property) && pinned[property] === mark(property, '');
}
