import { createMark } from '../field-policy/remember.ts';
import { type Question, questionKey } from '../questions/question.ts';
import type { CrmRecord } from '../records/crm-record.ts';
import type { RecordState, Run } from '../records/record-state.ts';
import type { EnrichmentDeps } from './deps.ts';
import { fingerprintOf } from './fingerprint.ts';

type Deps = Pick<EnrichmentDeps, 'policy' | 'digest' | 'clock'>;

interface Known {
  readonly state: RecordState;
  readonly record: CrmRecord;
}

/** Which question is answered already: by this run, or by an earlier one about the very same record, not long ago. */
export function paidFor(deps: Deps, { run, ...known }: Known & { readonly run: Run }) {
  const { answeredQuestion } = known.state;
  const key = run.answeredQuestion ?? (isFresh(deps, known) ? answeredQuestion : undefined);
  return (question: Question) => key !== undefined && questionKey(question, deps.digest) === key;
}

/** Neither stale nor changed by anybody since it was last enriched. */
export function isFresh({ policy, digest, clock }: Deps, { state, record }: Known): boolean {
  if ((state.staleAtMs ?? 0) <= clock.now()) return false;
  return state.fingerprint === fingerprintOf(record, { policy, digest });
}

/** Whether somebody emptied a property by an undo: nothing is bought to fill it again. */
export function closedTo({ digest }: Pick<Deps, 'digest'>, { restored = {} }: RecordState) {
  // A blank is a blank, whatever the property's type.
  const mark = createMark({ definitions: new Map(), hash: digest.keyed });
  return (property: string) => Object.hasOwn(restored, property) && restored[property] === mark(property, '');
}
