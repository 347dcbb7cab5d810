import type { ObjectType } from '#shared/crm';
import type { KeptReason } from '#shared/ownership';
import type { Effect } from './effects.ts';
import type { SkipCause } from './read-group.ts';
import type { NoReusableAnswer } from './stored-answer.ts';

/** Number of records by the effect on one property. `before` is the current policy, `after` is the new policy. */
export interface PropertyDifference {
  /** Written only by the new policy. */
  readonly added: number;
  /** Written by both policies, with different values. */
  readonly changed: number;
  /** Written or kept up to date only by the current policy. */
  readonly lost: number;
  /** The property holds a person's different value. This value stays. */
  readonly protectedBefore: number;
  readonly protectedAfter: number;
  /** Written by the new policy over a person's value. */
  readonly overPeople: number;
}

type Count = keyof PropertyDifference;

export interface WriteComparison {
  /** Records with a stored answer to which both policies were applied. */
  readonly records: number;
  /** Records without a usable answer, or skipped, by reason. */
  readonly left: Readonly<Partial<Record<NoReusableAnswer | SkipCause, number>>>;
  readonly totals: PropertyDifference;
  /** Properties with a difference, most differences first. A key is, for example, `contacts.jobtitle`. */
  readonly properties: Readonly<Record<string, PropertyDifference>>;
  /** Records and values that `policy apply` would write now under the new policy. */
  readonly apply: { readonly records: number; readonly values: number };
}

const NONE: PropertyDifference = {
  added: 0,
  changed: 0,
  lost: 0,
  protectedBefore: 0,
  protectedAfter: 0,
  overPeople: 0,
};

const PROTECTED: ReadonlySet<KeptReason | undefined> = new Set([
  ...(['person-wrote', 'cleared', 'unproved', 'not-blank'] as const),
]);

interface Compared {
  readonly objectType: ObjectType;
  readonly before: Effect;
  readonly after: Effect;
}

/**
 * Counts the effects of two policies on stored answers. Holds only sums, whatever the number of records.
 */
export function createWriteComparison() {
  const properties = new Map<string, PropertyDifference>();
  const left: Partial<Record<NoReusableAnswer | SkipCause, number>> = {};
  const apply = { records: 0, values: 0 };
  let records = 0;
  return {
    leave: (reason: NoReusableAnswer | SkipCause) => {
      left[reason] = (left[reason] ?? 0) + 1;
    },
    add: ({ objectType, before, after }: Compared) => {
      records += 1;
      const values = Object.keys(after.writes).length;
      apply.values += values;
      if (values > 0) apply.records += 1;
      for (const property of namesIn(before, after)) {
        const counts = countsOf(property, before, after);
        if (counts.length === 0) continue;
        const key = `${objectType}.${property}`;
        properties.set(key, plus(properties.get(key), counts));
      }
    },
    result: (): WriteComparison => ({
      records,
      left,
      apply,
      totals: [...properties.values()].reduce(sum, NONE),
      properties: Object.fromEntries(
        [...properties].filter(([, difference]) => weight(difference) > 0).sort(byWeight),
      ),
    }),
  };
}

function namesIn(before: Effect, after: Effect): ReadonlySet<string> {
  return new Set([before, after].flatMap(({ writes, kept }) => [...Object.keys(writes), ...kept.keys()]));
}

function countsOf(property: string, before: Effect, after: Effect): Count[] {
  const [oldValue, newValue] = [before.writes[property], after.writes[property]];
  const holds = ({ writes, kept }: Effect) =>
    Object.hasOwn(writes, property) || kept.get(property) === 'same';
  return [
    ...(newValue !== undefined && oldValue === undefined ? (['added'] as const) : []),
    ...(newValue !== undefined && oldValue !== undefined && newValue !== oldValue
      ? (['changed'] as const)
      : []),
    ...(holds(before) && !holds(after) ? (['lost'] as const) : []),
    ...(PROTECTED.has(before.kept.get(property)) ? (['protectedBefore'] as const) : []),
    ...(PROTECTED.has(after.kept.get(property)) ? (['protectedAfter'] as const) : []),
    ...(after.overPeople.includes(property) ? (['overPeople'] as const) : []),
  ];
}

function plus(known: PropertyDifference = NONE, counts: readonly Count[]): PropertyDifference {
  const next: Record<Count, number> = { ...known };
  for (const count of counts) next[count] += 1;
  return next;
}

function sum(a: PropertyDifference, b: PropertyDifference): PropertyDifference {
  const keys = Object.keys(NONE) as Count[];
  return { ...NONE, ...Object.fromEntries(keys.map((key) => [key, a[key] + b[key]])) };
}

/** Returns the number of records with a difference in the property. */
function weight(difference: PropertyDifference): number {
  const { added, changed, lost, protectedBefore, protectedAfter, overPeople } = difference;
  return added + changed + lost + overPeople + Math.abs(protectedAfter - protectedBefore);
}

function byWeight([, a]: [string, PropertyDifference], [, b]: [string, PropertyDifference]): number {
  return weight(b) - weight(a);
}
