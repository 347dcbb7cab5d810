import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { foldText } from './texts.ts';

/**
 * Converts a phone number to E.164, with ` ext N` for an extension. A number in national form counts as a number of
 * `country` (ISO code), if it is valid in this country. Returns `undefined` if the number is ambiguous or invalid.
 */
export function toE164(text: string, country?: string): string | undefined {
  const region = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const parsed = parsePhoneNumberFromString(text, region);
  if (parsed === undefined) return undefined;
  const international = text.trim().startsWith('+');
  if (!(international ? parsed.isPossible() : parsed.isValid())) return undefined;
  return parsed.ext === undefined ? parsed.number : `${parsed.number} ext ${parsed.ext}`;
}

/**
 * Returns the normal form of a phone number. A national number without a country cannot be completed, so only its digits
 * are compared.
 */
export function phoneKey(text: string): string {
  return toE164(text) ?? (text.replace(/\D/g, '') || foldText(text));
}
