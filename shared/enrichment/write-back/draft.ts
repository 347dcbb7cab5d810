import type { PropertyDefinitions } from '#shared/crm/property-definition.ts';
import type { EnrichmentStatus } from '#shared/field-policy/enrichment-properties.ts';
import { type Dropped, mapAnswer, type Proposal } from '#shared/field-policy/mapping/map-answer.ts';
import { checkAnswer } from '#shared/field-policy/plausibility.ts';
import type { OutcomeKind } from '#shared/records/schemas.ts';
import { type Answered, BY } from '../ask/answer-record.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';

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

export function draftOf(
  services: EnrichmentServices,
  answered: Answered,
  definitions: PropertyDefinitions,
): Draft {
  const { held } = answered;
  if (answered.kind === 'ended') {
    const { runOutcome } = answered;
    const outcome = runOutcome.kind === 'outcome' ? runOutcome.outcome : 'failed';
    const status = answered.status ?? outcome;
    return { held, answered, outcome, reason: runOutcome.reason, status, proposals: [], dropped: [] };
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
    rules: services.policy.fields[held.objectType],
    answer,
    definitions,
  });
  const reason = `Matched ${BY[operation]}.`;
  return { held, answered, outcome: 'enriched', reason, status: 'enriched', proposals: proposed, dropped };
}
