import type { EnrichmentStatus } from '../field-policy/enrichment-properties.ts';
import { type Dropped, mapAnswer, type Proposal } from '../field-policy/mapping.ts';
import { checkAnswer } from '../field-policy/plausibility.ts';
import type { PropertyDefinitions } from '../field-policy/property-definition.ts';
import type { OutcomeKind } from '../records/record-state.ts';
import { type Answered, BY } from './answer-record.ts';
import type { EnrichmentDeps, HeldRecord } from './deps.ts';

/** What an answer, or its lack, means for a record, whatever the record holds by now. */
export interface Draft {
  readonly held: HeldRecord;
  readonly answered: Answered;
  readonly outcome: OutcomeKind;
  readonly reason: string;
  readonly status: EnrichmentStatus;
  readonly proposals: readonly Proposal[];
  /** Values of the answer that fit no property, or none of its choices. */
  readonly dropped: readonly Dropped[];
}

export function draftOf(deps: EnrichmentDeps, answered: Answered, definitions: PropertyDefinitions): Draft {
  const { held } = answered;
  if (answered.kind === 'ended') {
    const { ending } = answered;
    const outcome = ending.kind === 'outcome' ? ending.outcome : 'failed';
    const status = answered.status ?? outcome;
    return { held, answered, outcome, reason: ending.reason, status, proposals: [], dropped: [] };
  }
  const { answer, operation } = answered;
  const check = checkAnswer({ record: held.record, answer, askedDomain: answered.askedDomain });
  if (check.kind === 'contradiction') {
    return {
      held,
      answered,
      outcome: 'unmatched',
      reason: check.reason,
      status: 'review',
      proposals: [],
      dropped: [],
    };
  }
  const { proposed, dropped } = mapAnswer({
    rules: deps.policy.fields[held.objectType],
    answer,
    definitions,
  });
  const reason = `Matched ${BY[operation]}.`;
  return { held, answered, outcome: 'enriched', reason, status: 'enriched', proposals: proposed, dropped };
}
