import type { ObjectType } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { Policy } from '../policy.ts';
import { type Admitting, firstThatFits, type Looking, propertiesIn } from './admission.ts';
import type { RetentionRule } from './schemas.ts';

/** When a record's answers came, epoch milliseconds. */
export interface AnswerTimes {
  /** The first answer that it still may hold values of. */
  readonly obtainedAtMs: number;
  /** The newest answer. */
  readonly answeredAtMs: number;
}

export type Retention =
  /** No rule fits: the values are kept. */
  | { readonly kind: 'kept' }
  /** HubSpot does not have a property that the rule reads. Removal is final, so the values are kept until it can be read. */
  | { readonly kind: 'unreadable'; readonly rule: string; readonly missing: string }
  | { readonly kind: 'until'; readonly rule: string; readonly endMs: number };

/** How long `policy.privacy.retention` lets a record keep its values. */
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

/** Whether a rule may have ended for a record, before anything of the record is read. */
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

/** Names of the properties that the rules read. */
export function propertiesOfRetention(policy: Pick<Policy, 'privacy'>, objectType: ObjectType) {
  return propertiesIn(retentionRules(policy, objectType));
}

function retentionRules(
  { privacy }: Pick<Policy, 'privacy'>,
  objectType: ObjectType,
): readonly RetentionRule[] {
  return privacy.retention[objectType] ?? [];
}
