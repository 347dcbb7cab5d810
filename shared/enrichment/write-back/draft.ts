import type { PropertyDefinitions } from '#shared/crm/property-definition.ts';
import type { EnrichmentStatus } from '#shared/field-policy/enrichment-properties.ts';
import { type Dropped, mapAnswer, type Proposal } from '#shared/field-policy/mapping/map-answer.ts';
import { checkAnswer, isAddressElsewhere } from '#shared/field-policy/plausibility.ts';
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
  /** What HubSpot refused of it in this run. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** The contact's address is at another employer: a job change if the address is ours, else nothing is mixed. */
  readonly isElsewhere?: boolean | undefined;
}

/** A property that is written without, and HubSpot's reason: codes and names, no values. */
export interface LeftOut {
  readonly property: string;
  readonly reason: string;
}

/** What the account lets be written, and in which currency. */
export interface PortalShape {
  readonly definitions: PropertyDefinitions;
  readonly currency?: string | undefined;
}

export function draftOf(
  services: EnrichmentServices,
  answered: Answered,
  { definitions, currency }: PortalShape,
): Draft {
  const { held } = answered;
  if (answered.kind === 'ended') {
    const { runOutcome } = answered;
    const outcome = runOutcome.kind === 'outcome' ? runOutcome.outcome : 'failed';
    const status = answered.status ?? outcome;
    return { held, answered, outcome, reason: runOutcome.reason, status, proposals: [], dropped: [] };
  }
  const { answer, operation } = answered;
  const check = checkAnswer({
    record: held.record,
    answer,
    askedDomain: answered.askedDomain,
    companyDomain: held.record.companyDomain,
  });
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
    currency,
  });
  const reason = `Matched ${BY[operation]}.`;
  const isElsewhere = isAddressElsewhere({ record: held.record, answer });
  const matched = { outcome: 'enriched', reason, status: 'enriched' } as const;
  return { held, answered, ...matched, proposals: proposed, dropped, isElsewhere };
}
