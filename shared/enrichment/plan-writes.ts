import type { EnrichmentStatus } from '../field-policy/enrichment-properties.ts';
import { type Dropped, mapAnswer, type Proposal } from '../field-policy/mapping.ts';
import { createNormalise } from '../field-policy/normal-form.ts';
import { decideWrites } from '../field-policy/overwrite.ts';
import { checkAnswer } from '../field-policy/plausibility.ts';
import type { PropertyDefinitions } from '../field-policy/property-definition.ts';
import type { Remembered } from '../field-policy/remember.ts';
import type { CrmReading } from '../records/crm.ts';
import type { CrmRecord } from '../records/crm-record.ts';
import type { OutcomeKind } from '../records/record-state.ts';
import { type Answered, BY, SKIP_REASONS } from './answer-record.ts';
import type { EnrichmentDeps, HeldRecord } from './deps.ts';
import { fingerprintOf } from './fingerprint.ts';
import { hasOptedOut } from './plan.ts';
import { statusProposals } from './status-properties.ts';

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

export interface Planned {
  readonly draft: Draft;
  /**
   * The record as it is now; `gone` when it was deleted or merged away meanwhile, `changed` when somebody made it
   * a record of somebody else, of whom the answer tells nothing.
   */
  readonly current: CrmRecord | 'gone' | 'unreadable' | 'changed';
  readonly writes: Readonly<Record<string, string>>;
  /** Properties of the answer that are written; the status not counted. */
  readonly filled: readonly string[];
  readonly outcome: OutcomeKind;
  /** What was ours before this write. */
  readonly remembered: Remembered;
}

export interface RecoveredRecord {
  /** What is ours on the record although its state does not say so. */
  readonly remembered: Remembered;
  /** This run had written values before it was cut off. */
  readonly isWritten: boolean;
}

/** By record id. */
export type Recovered = ReadonlyMap<string, RecoveredRecord>;

/** What a draft is held against: the records as they are now, and the portal's properties. */
export interface Present {
  readonly now: CrmReading;
  readonly definitions: PropertyDefinitions;
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

/** Applies the policy to what is there now: only differences remain. */
export function planWrites(
  deps: EnrichmentDeps,
  given: Draft,
  { now, definitions, recovered }: Present & { readonly recovered: Recovered },
): Planned {
  const { held, answered } = given;
  const before = recovered.get(held.id);
  const remembered = { ...held.state.remembered, ...before?.remembered };
  const creditsSpent = held.state.creditsSpent + creditsOf(answered);
  const current = currentOf(deps, now, answered);
  const draft = typeof current !== 'string' && hasOptedOut(current) ? optedOut(given) : given;
  if (typeof current === 'string')
    return { draft, current, writes: {}, filled: [], outcome: 'skipped', remembered };
  const rules = {
    current: current.properties,
    remembered,
    restored: held.state.restored,
    hash: deps.digest.keyed,
    normalise: createNormalise(definitions),
  };
  const fields = decideWrites({ ...rules, proposed: draft.proposals }).writes;
  const filled = Object.keys(fields);
  const isSame = filled.length === 0 && !before?.isWritten;
  const outcome = draft.outcome === 'enriched' && isSame ? 'unchanged' : draft.outcome;
  const answer = answered.kind === 'found' && isNew(answered, held) ? answered : undefined;
  // An answer that the record has had already says nothing new of it: its status stays as it is.
  const stays = !answer && outcome === 'unchanged' && current.properties['enrichment_status'] === 'enriched';
  const status = draft.status === 'enriched' && !stays ? outcome : draft.status;
  const { requested } = held;
  const told = { status, reason: draft.reason, creditsSpent, answer, requested };
  const proposed = statusProposals(told, definitions);
  const statuses = decideWrites({ ...rules, proposed }).writes;
  return { draft, current, writes: { ...fields, ...statuses }, filled, outcome, remembered };
}

/** Somebody may opt out while the question is being asked. */
function optedOut(draft: Draft): Draft {
  const reason = SKIP_REASONS['opted-out'];
  return { ...draft, outcome: 'skipped', status: 'skipped', reason, proposals: [], dropped: [] };
}

export function creditsOf(answered: Answered): number {
  return answered.kind === 'found' ? answered.credits : answered.ending.credits;
}

function currentOf(
  deps: EnrichmentDeps,
  { records, failed }: CrmReading,
  { kind, held }: Answered,
): Planned['current'] {
  if (failed.has(held.id)) return 'unreadable';
  const record = records.get(held.id);
  if (record?.id !== held.id) return 'gone';
  return kind === 'found' && fingerprintOf(record, deps) !== fingerprintOf(held.record, deps)
    ? 'changed'
    : record;
}

function isNew({ askedAtMs }: { askedAtMs: number }, { state }: HeldRecord): boolean {
  return askedAtMs > (state.answeredAtMs ?? 0);
}
