import type { Normalise } from '#shared/field-policy';
import { type Change, type JournalEntry, leaves } from '#shared/records';

type Values = Readonly<Record<string, string | null>>;

/** Returns HubSpot's values for the entry's writes that HubSpot now shows and did not refuse, by property. */
export function arrivedOf(
  { changes }: JournalEntry,
  { properties, normalise }: { readonly properties: Values; readonly normalise: Normalise },
): Values {
  const arrived = changes.filter(
    (change) =>
      change.state !== 'refused' && matchesWrite(change, properties[change.property] ?? null, normalise),
  );
  return Object.fromEntries(arrived.map(({ property }) => [property, properties[property] ?? null]));
}

/** Whether HubSpot's value equals the written value. */
export function matchesWrite(change: Change, value: string | null, normalise: Normalise): boolean {
  const { property, before, after } = change;
  if (leaves(change, value)) return true;
  // HubSpot adds a choice with a leading semicolon to the existing choices.
  const whole = after.startsWith(';') ? `${before ?? ''}${after}` : after;
  const [held, meant] = [normalise(property, value ?? ''), normalise(property, whole)];
  return held === meant;
}
