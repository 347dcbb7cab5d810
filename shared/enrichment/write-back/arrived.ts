import type { Normalise } from '#shared/field-policy';
import { type Change, type JournalEntry, leaves } from '#shared/records';

type Values = Readonly<Record<string, string | null>>;

/** Of an entry's writes that were not refused, by property what HubSpot holds now, where it is what was to be written. */
export function arrivedOf(
  { changes }: JournalEntry,
  { properties, normalise }: { readonly properties: Values; readonly normalise: Normalise },
): Values {
  const arrived = changes.filter(
    (change) => change.state !== 'refused' && says(change, properties[change.property] ?? null, normalise),
  );
  return Object.fromEntries(arrived.map(({ property }) => [property, properties[property] ?? null]));
}

/** Whether a value of HubSpot's says what was to be written. */
export function says(change: Change, value: string | null, normalise: Normalise): boolean {
  const { property, before, after } = change;
  if (leaves(change, value)) return true;
  // Sent with a leading semicolon, choices are added to those that are there.
  const whole = after.startsWith(';') ? `${before ?? ''}${after}` : after;
  const [held, meant] = [normalise(property, value ?? ''), normalise(property, whole)];
  return held === meant;
}
