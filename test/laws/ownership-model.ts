/**
 * What anybody may expect of two contacts in HubSpot: whose each value is, told by what happened alone. It knows nothing
 * of the product, so that both have to come to the same.
 */
export type Owner = 'nobody' | 'us' | 'person';

export interface OwnedValue {
  readonly value: string;
  readonly owner: Owner;
}

export type RecordModel = Record<string, OwnedValue>;

/** What the system was made to do. `asked`: a person asked for the record; `undo`: a person takes values back. */
export type Act = 'by itself' | 'asked' | 'undo';

/** A person, or anybody but us, types a value or empties it. Typed again, our own value is theirs. */
export function typed(record: RecordModel, property: string, value: string): void {
  record[property] = { value, owner: 'person' };
}

/**
 * Holds what HubSpot shows after an act of the system against what it may do, and learns what it did.
 * @returns a sentence for each fault.
 */
export function faultsAfter(
  record: RecordModel,
  shown: Readonly<Record<string, string>>,
  act: Act,
): string[] {
  return Object.entries(record).flatMap(([property, { value, owner }]) => {
    const now = shown[property] ?? '';
    if (now === value) return [];
    const what = `${act}: ${property} of ${owner} went from "${value}" to "${now}"`;
    const isFilledAgain = act === 'asked' && value === '';
    // What was brought back is a person's from now on.
    record[property] = { value: now, owner: act === 'undo' ? 'person' : 'us' };
    if (act === 'undo') return owner === 'us' ? [] : [`${what}: an undo restores only ours`];
    if (owner === 'person' && !isFilledAgain) return [`${what}: what a person wrote or emptied is lost`];
    return [];
  });
}

/** HubSpot keeps the values of the first, and the other's where the first has none. */
export function mergedModel(first: RecordModel, other: RecordModel): RecordModel {
  const both = Object.entries(first).map(([property, own]): [string, OwnedValue] => {
    const from = other[property] ?? own;
    if (own.value !== '') return [property, own];
    if (from.value !== '') return [property, from];
    return [property, own.owner === 'person' ? own : from];
  });
  return Object.fromEntries(both);
}
