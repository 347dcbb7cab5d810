import {
  type ClaimedRecord,
  type EnrichmentServices,
  type PlannedQuestion,
  planStored,
  portalOf,
  storedAnswerTo,
  type WritePlan,
} from '#shared/enrichment';
import { createMark, createNormalise } from '#shared/field-policy';
import { decideWrites, type Explanation, verdictOn } from '#shared/ownership';
import { askedDomainOf } from '#shared/questions';
import { because, type OutcomeKind } from '#shared/records';

/** A property's value, and whether the run would write it. */
export interface ConsideredWrite {
  readonly property: string;
  readonly now: string | null;
  readonly rule: string;
  readonly mayBeWritten: boolean;
  /** Value of the stored answer. Absent if there is no stored answer yet. */
  readonly proposed?: string;
  /**
   * Why the value is not written: `person-wrote`, `same`, `in-review`, ..., or `no-value` if the stored answer has
   * none.
   */
  readonly kept?: string;
}

/** Outcome of the run, based on stored answers. */
export interface PlanVerdict {
  readonly outcome: OutcomeKind | 'review';
  readonly reason: Explanation;
}

interface Considered {
  readonly writes: readonly ConsideredWrite[];
  readonly verdict?: PlanVerdict | undefined;
}

/**
 * Decides like a run, from stored answers only, with the questions in the same order. After the first question
 * without a stored answer, only the rules and the present values are known.
 */
export async function considerWrites(
  services: EnrichmentServices,
  read: ClaimedRecord,
  questions: readonly PlannedQuestion[],
): Promise<Considered> {
  let verdict: PlanVerdict | undefined;
  for (const { question, credits } of questions) {
    if (credits > 0) return { writes: await byRules(services, read), verdict };
    const stored = await storedAnswerTo(services, question, read.state);
    if (!stored) continue;
    const { record: answer, questionKey, askedAtMs, expiresAtMs } = stored;
    const rejected = verdictOn(read.state.verdicts, stored)?.rejected;
    // Like a run, does not use a rejected answer again, and continues with the next question.
    if (rejected) {
      verdict = { outcome: 'review', reason: rejected.reason };
      continue;
    }
    const { operation, options } = question;
    const found = { kind: 'found', held: read, answer, operation, options, credits: 0 } as const;
    const asked = { questionKey, askedAtMs, expiresAtMs, askedDomain: askedDomainOf(question) };
    const { objectType, record } = read;
    const now = { records: new Map([[record.id, record]]), failed: new Map<string, string>() };
    const portal = await portalOf(services, objectType);
    const answers = [{ ...found, ...asked }];
    const [planned] = await planStored(services, services.policy, {
      objectType,
      answers,
      read: { now, portal },
    });
    if (planned) return decided(services, read, planned);
  }
  const none = { outcome: 'unmatched', reason: because('stored-no-match') } as const;
  return { writes: unwritten(services, read, verdict ? 'in-review' : 'no-value'), verdict: verdict ?? none };
}

function decided(services: EnrichmentServices, read: ClaimedRecord, planned: WritePlan): Considered {
  const { draft, filled, writes, kept, proposed, outcome, reason, isMixed } = planned;
  const isInReview = draft.status === 'review' || isMixed === true;
  const verdict = { outcome: isInReview ? 'review' : outcome, reason } as const;
  const reasons = new Map<string, string>([
    ...draft.dropped.map(({ property }) => [property, 'does-not-fit'] as const),
    ...kept.map((each) => [each.property, each.reason] as const),
    ...proposed.map((property) => [property, 'shadow'] as const),
  ]);
  const rows = unwritten(services, read, isInReview ? 'in-review' : 'no-value').map((row) => {
    const { property } = row;
    if (filled.includes(property)) {
      const { kept: _, ...rest } = row;
      return { ...rest, mayBeWritten: true, proposed: writes[property] ?? '' };
    }
    const why = reasons.get(property);
    return why === undefined ? row : { ...row, kept: why };
  });
  return { writes: rows, verdict };
}

function unwritten(
  { policy }: EnrichmentServices,
  { record }: ClaimedRecord,
  kept: string,
): (ConsideredWrite & { readonly kept: string })[] {
  const rules = new Map(policy.fields[record.objectType].map((rule) => [rule.property, rule]));
  return [...rules.values()].map(({ property, write: rule }) => {
    const now = record.properties[property] ?? null;
    return { property, now, rule, mayBeWritten: false, kept };
  });
}

/** Stands for an unknown answer. It differs from every real value, so the rule decides as for any new value. */
const ANOTHER_VALUE = 'a value that differs from the present one';

async function byRules(
  services: EnrichmentServices,
  { state, record }: ClaimedRecord,
): Promise<ConsideredWrite[]> {
  const definitions = await services.crm.definitions(record.objectType);
  const rules = new Map(services.policy.fields[record.objectType].map((rule) => [rule.property, rule]));
  const { writes, kept } = decideWrites({
    proposed: [...rules.values()].map((rule) => ({ property: rule.property, value: ANOTHER_VALUE, rule })),
    current: record.properties,
    ownership: state.ownership,
    verdicts: state.verdicts,
    request: { by: 'person' },
    mark: createMark({ definitions, hash: services.digest.keyed }),
    normalise: createNormalise(definitions),
  });
  const reasons = new Map<string, string>(kept.map(({ property, reason }) => [property, reason]));
  return [...rules.values()].map(({ property, write }) => {
    const reason = reasons.get(property);
    const now = record.properties[property] ?? null;
    const mayBeWritten = Object.hasOwn(writes, property);
    return { property, now, rule: write, mayBeWritten, ...(reason !== undefined && { kept: reason }) };
  });
}
