import { type CrmRecord, OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type Admission, admissionOf, type Policy } from '#shared/field-policy';
import type { KnownProperties } from '../read-records.ts';
import type { ReadRecord } from './read-group.ts';
import { lookUpPrice } from './refresh-cycle.ts';

/** Number of records that one rule decides about, under each policy. */
export interface RuleCount {
  readonly objectType: ObjectType;
  /** Absent for a policy without rules for the object type. Such a policy admits every record. */
  readonly rule?: string | undefined;
  readonly before: number;
  readonly after: number;
  /** Whether the rule admits records; absent if the policy does not have the rule. */
  readonly admitsBefore?: boolean;
  readonly admitsAfter?: boolean;
  /**
   * Highest total cost in credits, if each record of the rule is looked up once. Stored answers are not counted as
   * free.
   */
  readonly creditsBefore: number;
  readonly creditsAfter: number;
}

export interface RuleComparison {
  /** Known records to which the rules of both policies were applied. */
  readonly records: number;
  readonly rules: readonly RuleCount[];
  /** Records that the new policy admits and the current policy does not. */
  readonly movedIn: number;
  /** Records that the current policy admits and the new policy does not. */
  readonly movedOut: number;
}

interface BothPolicies {
  readonly before: Policy;
  readonly after: Policy;
}

/** Whether a policy has rules that select the records of one object type. */
export function hasRules({ before, after }: BothPolicies, objectType: ObjectType): boolean {
  return [before, after].some(({ whom }) => whom[objectType] !== undefined);
}

/** Counts the records of each rule. Holds only counts, whatever the number of records. */
export function createRuleComparison(policies: BothPolicies) {
  const counts = new Map<string, RuleCount>();
  let [records, movedIn, movedOut] = [0, 0, 0];
  const add = (admission: Admission, read: ReadRecord, which: 'before' | 'after') => {
    const { objectType } = read.held;
    const { rule, enrich } = admission;
    const key = JSON.stringify([objectType, rule]);
    const none = { objectType, rule, before: 0, after: 0, creditsBefore: 0, creditsAfter: 0 };
    const known = counts.get(key) ?? none;
    const [admits, credits] =
      which === 'before'
        ? (['admitsBefore', 'creditsBefore'] as const)
        : (['admitsAfter', 'creditsAfter'] as const);
    const price = known[credits] + (enrich ? (lookUpPrice(admission, read)?.worst ?? 0) : 0);
    counts.set(key, { ...known, [which]: known[which] + 1, [admits]: enrich, [credits]: price });
  };
  return {
    addAll: (
      objectType: ObjectType,
      read: readonly ReadRecord[],
      isKnown: Readonly<Record<'before' | 'after', KnownProperties>>,
    ) => {
      if (!hasRules(policies, objectType)) return;
      const admission = (which: 'before' | 'after', record: CrmRecord, nowMs: number) =>
        admissionOf(policies[which], record, { nowMs, isKnown: isKnown[which] });
      for (const each of read) {
        const { held } = each;
        const before = admission('before', held.record, held.readAtMs);
        const after = admission('after', held.record, held.readAtMs);
        records += 1;
        add(before, each, 'before');
        add(after, each, 'after');
        if (!before.enrich && after.enrich) movedIn += 1;
        if (before.enrich && !after.enrich) movedOut += 1;
      }
    },
    /** @returns `undefined` if neither policy has rules. */
    result: (): RuleComparison | undefined => {
      if (!OBJECT_TYPES.some((objectType) => hasRules(policies, objectType))) return undefined;
      return { records, rules: [...counts.values()].sort(byCount), movedIn, movedOut };
    },
  };
}

function byCount(a: RuleCount, b: RuleCount): number {
  return b.before + b.after - (a.before + a.after);
}
