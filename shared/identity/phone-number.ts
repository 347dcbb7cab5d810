import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * E.164, with ` ext N` where there is an extension. A number in national form is read as one of `country`
 * (ISO code) and only if it is a valid one there; `undefined` when it cannot be told what number it is.
 */
export function toE164(text: string, country?: string): string | undefined {
  const region = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const parsed = parsePhoneNumberFromString(text, region);
  if (parsed === undefined) return undefined;
  const international = text.trim().startsWith('+');
  if (!(international ? parsed.isPossible() : parsed.isValid())) return undefined;
  return parsed.ext === undefined ? parsed.number : `${parsed.number} ext ${parsed.ext}`;
}
