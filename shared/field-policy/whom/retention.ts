import type { ObjectType } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { Policy } from '../policy.ts';
import { type Admitting, firstThatFits, type Looking, propertiesIn } from './admission.ts';
import type { RetentionRule } from './schemas.ts';

/** Times of a record's answers, epoch milliseconds. */
export interface AnswerTimes {
  /** The first answer whose values the record may still have. */
  readonly obtainedAtMs: number;
  /** The newest answer. */
  readonly answeredAtMs: number;
}

export type Retention =
  /** No rule fits: the values are kept. */
  | { readonly kind: 'kept' }
  /** HubSpot lacks a property of the rule. Removal is final, so the values are kept until the rule can be evaluated. */
  | { readonly kind: 'unreadable'; readonly rule: string; readonly missing: string }
  | { readonly kind: 'until'; readonly rule: string; readonly endMs: number };

/** Decides by `policy.privacy.retention` how long a record keeps its values. */
export function retentionOf(
  policy: Pick<Policy, 'privacy'>,
  record: Admitting,
  { times, ...looking }: Looking & { readonly times: AnswerTimes },
): Retention {
  const fit = firstThatFits(retentionRules(policy, record.objectType), record, looking);
  if (!fit) return { kind: 'kept' };
  const { rule, missing } = fit;
  if (missing !== undefined) return { kind: 'unreadable', rule: rule.name, missing };
  return { kind: 'until', rule: rule.name, endMs: endOf(rule, times) };
}

/** Whether a record's values may have expired by any rule. Needs no read of the record. */
export function mayHaveExpired(
  policy: Pick<Policy, 'privacy'>,
  objectType: ObjectType,
  { times, nowMs }: { readonly times: AnswerTimes; readonly nowMs: number },
): boolean {
  return retentionRules(policy, objectType).some((rule) => endOf(rule, times) <= nowMs);
}

function endOf(
  { days, refreshProlongs }: RetentionRule,
  { obtainedAtMs, answeredAtMs }: AnswerTimes,
): number {
  return (refreshProlongs ? answeredAtMs : obtainedAtMs) + days * DAY_MS;
}

/** Properties in the rules of retention. */
export function propertiesOfRetention(policy: Pick<Policy, 'privacy'>, objectType: ObjectType) {
  return propertiesIn(retentionRules(policy, objectType));
}

function retentionRules(
  { privacy }: Pick<Policy, 'privacy'>,
  objectType: ObjectType,
): readonly RetentionRule[] {
  return privacy.retention[objectType] ?? [];
}
