import { createNormalise } from './normal-form.ts';
import type { PropertyDefinitions } from './property-definition.ts';

/** Hashes a text under the installation's secret, so that what is stored cannot be guessed back. */
export type Hash = (text: string) => string;

/** By property: the hash of the normal form of what we wrote last, as HubSpot returned it. */
export type Remembered = Readonly<Record<string, string>>;

/**
 * What to store after a write, so that a value can later be recognised as ours without asking HubSpot's history.
 * `written` holds the values as HubSpot returned them, because it rewrites phones, dates and more.
 */
export function rememberWrites({
  definitions,
  written,
  hash,
}: {
  definitions: PropertyDefinitions;
  written: Readonly<Record<string, string | null>>;
  hash: Hash;
}): Record<string, string> {
  const normalise = createNormalise(definitions);
  const hashes: Record<string, string> = {};
  for (const [property, value] of Object.entries(written)) {
    if (value === null || value.trim() === '') continue;
    hashes[property] = hash(rememberedText(property, normalise(property, value)));
  }
  return hashes;
}

/** The text that is hashed. It names the property, so that equal values of two properties have unequal hashes. */
export function rememberedText(property: string, normalForm: string): string {
  return `${property}\n${normalForm}`;
}
