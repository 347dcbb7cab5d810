import type { CrmRecord } from '#shared/crm';
import { countryCode, foldText } from '#shared/identity';
import { answerKeyOf } from './coverage.ts';
import { type FieldRule, keysOfPath } from './field-rule.ts';
import type { Proposal } from './mapping/map-answer.ts';

/** Keys of an answer that together say one place. */
const PLACE_KEYS: ReadonlySet<string> = new Set(['city', 'state', 'country', 'countryCode', 'headquarters']);

interface WriteDecision {
  readonly writes: Readonly<Record<string, string>>;
  readonly kept: readonly { readonly property: string; readonly reason: string }[];
}

/**
 * Writes the parts of an address together or not at all. If the record has another city, state, postal code or country
 * than the answer, no part is written, because two halves make an address that does not exist.
 */
export function keepAddressTogether(
  properties: CrmRecord['properties'],
  proposals: readonly Proposal[],
  { writes, kept }: WriteDecision,
): Readonly<Record<string, string>> {
  const parts = proposals.filter(({ rule }) => isPlace(rule));
  const isContradicted = parts.some(({ property, value, rule }) => {
    const current = properties[property] ?? '';
    const isKept = kept.some((each) => each.property === property && each.reason !== 'same');
    return isKept && current.trim() !== '' && !isStreet(rule) && !isSamePlace(current, value);
  });
  if (!isContradicted) return writes;
  const names = new Set(parts.map(({ property }) => property));
  return Object.fromEntries(Object.entries(writes).filter(([property]) => !names.has(property)));
}

function isPlace(rule: Pick<FieldRule, 'from'>): boolean {
  return PLACE_KEYS.has(answerKeyOf(rule));
}

/** A street has many spellings, so another one is no contradiction. */
function isStreet({ from }: Pick<FieldRule, 'from'>): boolean {
  return keysOfPath(from).join('/') === 'headquarters/address';
}

function isSamePlace(a: string, b: string): boolean {
  const country = countryCode(a);
  return foldText(a) === foldText(b) || (country !== undefined && country === countryCode(b));
}
