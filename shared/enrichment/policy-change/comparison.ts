import type { RecordName } from '#shared/crm';
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
  /** The answer's value fits no choice or format of the property. */
  readonly unfitBefore: number;
  readonly unfitAfter: number;
}

export type Count = keyof PropertyDifference;

export interface AffectedRecord extends RecordName {
  readonly properties: readonly string[];
}

export interface WriteComparison {
  /** Records with a stored answer to which both policies were applied. */
  readonly records: number;
  /** Records without a usable answer, or skipped, by reason. */
  readonly left: Readonly<Partial<Record<NoReusableAnswer | SkipCause, number>>>;
  readonly totals: PropertyDifference;
  /** Properties with a difference, most differences first. A key is, for example, `contacts.jobtitle`. */
  readonly properties: Readonly<Record<string, PropertyDifference>>;
  /** Records whose answer is not written, by the reason. */
  readonly refused: { readonly before: Refusals; readonly after: Refusals };
  /** Records and values that `policy apply` would write now under the new policy. */
  readonly apply: { readonly records: number; readonly values: number };
  /** The records with the most differing properties, in descending order. */
  readonly affected: readonly AffectedRecord[];
  readonly affectedRecords: number;
}

export type Refusals = Readonly<Record<string, number>>;

const NONE: PropertyDifference = {
  ...{ added: 0, changed: 0, lost: 0, protectedBefore: 0, protectedAfter: 0 },
  ...{ overPeople: 0, unfitBefore: 0, unfitAfter: 0 },
};

const PROTECTED: ReadonlySet<KeptReason | undefined> = new Set([
  ...(['person-wrote', 'cleared', 'unproved', 'not-blank'] as const),
]);

const MOST_AFFECTED = 10;

export interface Compared {
  readonly name: RecordName;
  readonly before: Effect;
  readonly after: Effect;
}

/**
 * Counts the effects of two policies on stored answers. Holds only sums and a few ids, whatever the number of records.
 */
export function createWriteComparison() {
  const properties = new Map<string, PropertyDifference>();
  const left: Partial<Record<NoReusableAnswer | SkipCause, number>> = {};
  const refused = { before: new Map<string, number>(), after: new Map<string, number>() };
  const apply = { records: 0, values: 0 };
  let affected: readonly AffectedRecord[] = [];
  let [records, affectedRecords] = [0, 0];
  return {
    leave: (reason: NoReusableAnswer | SkipCause) => {
      left[reason] = (left[reason] ?? 0) + 1;
    },
    add: ({ name, before, after }: Compared) => {
      records += 1;
      const values = Object.keys(after.writes).length;
      apply.values += values;
      if (values > 0) apply.records += 1;
      for (const [which, { refused: reason }] of Object.entries({ before, after }) as [
        'before' | 'after',
        Effect,
      ][])
        if (reason !== undefined) refused[which].set(reason, (refused[which].get(reason) ?? 0) + 1);
      const differing: string[] = [];
      for (const property of namesIn(before, after)) {
        const counts = countsOf(property, before, after);
        if (counts.length === 0) continue;
        const key = `${name.objectType}.${property}`;
        properties.set(key, plus(properties.get(key), counts));
        if (counts.some((count) => DIFFERS.has(count))) differing.push(property);
      }
      if (differing.length === 0) return;
      affectedRecords += 1;
      affected = withMost(affected, { ...name, properties: differing });
    },
    result: (): WriteComparison => ({
      ...{ records, left, apply, affected, affectedRecords },
      totals: [...properties.values()].reduce(sum, NONE),
      properties: Object.fromEntries(
        [...properties].filter(([, difference]) => weight(difference) > 0).sort(byWeight),
      ),
      refused: { before: Object.fromEntries(refused.before), after: Object.fromEntries(refused.after) },
    }),
  };
}

const DIFFERS: ReadonlySet<Count> = new Set(['added', 'changed', 'lost']);

function namesIn(before: Effect, after: Effect): ReadonlySet<string> {
  const named = [before, after].flatMap(({ writes, kept, unfit }) => [
    ...Object.keys(writes),
    ...kept.keys(),
    ...unfit,
  ]);
  return new Set(named);
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
    ...(before.unfit.includes(property) ? (['unfitBefore'] as const) : []),
    ...(after.unfit.includes(property) ? (['unfitAfter'] as const) : []),
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
function weight({ added, changed, lost, overPeople, ...rest }: PropertyDifference): number {
  const { protectedBefore, protectedAfter, unfitBefore, unfitAfter } = rest;
  const other = Math.abs(protectedAfter - protectedBefore) + Math.abs(unfitAfter - unfitBefore);
  return added + changed + lost + overPeople + other;
}

function byWeight([, a]: [string, PropertyDifference], [, b]: [string, PropertyDifference]): number {
  return weight(b) - weight(a);
}

function withMost(known: readonly AffectedRecord[], added: AffectedRecord): readonly AffectedRecord[] {
  const last = known.at(-1);
  const isFull = known.length >= MOST_AFFECTED;
  if (isFull && last && last.properties.length >= added.properties.length) return known;
  const sorted = [...known, added].sort((a, b) => b.properties.length - a.properties.length);
  return sorted.slice(0, MOST_AFFECTED);
}
