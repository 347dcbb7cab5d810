/** Checks the form of domains, addresses and phone numbers, not whether they exist. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { parse } from 'tldts';

/**
 * Whether a text is a bare host name under a known public suffix, or under a suffix that is reserved for documentation
 * and tests (RFC 2606).
 */
export function isDomain(text: string): boolean {
  const host = text.toLowerCase();
  if (host.length > 253 || !host.split('.').every((label) => LABEL.test(label))) return false;
  const parsed = parse(host);
  if (parsed.isIp || parsed.domain === null) return false;
  return parsed.isIcann === true || RESERVED.has(parsed.publicSuffix ?? '');
}

export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return at > 0 && local.length <= 64 && LOCAL_PART.test(local) && isDomain(text.slice(at + 1));
}

/**
 * Whether a text can be a phone number. A national form is only checked by its number of digits, because its country is
 * unknown. A number with a country code must have a length that exists in that country.
 */
export function isPhoneNumber(text: string): boolean {
  if (text.length > MAX_WRITTEN_CHARS) return false;
  const international = text.trim().replace(/^00/, '+');
  const [, number = ''] = PHONE.exec(international) ?? [];
  const digits = number.replace(/\D/g, '').length;
  if (!number.includes('+')) return digits >= MIN_NATIONAL_DIGITS && digits <= MAX_NATIONAL_DIGITS;
  return parsePhoneNumberFromString(international)?.isPossible() ?? false;
}

/** Whether a text is the address of a page on any network, with or without scheme and `www.`. */
export function isProfileUrl(text: string): boolean {
  return pathOf(text) !== undefined;
}

export function isPersonProfileUrl(text: string): boolean {
  const [kind] = pathOf(text) ?? [];
  return kind !== undefined && !COMPANY_KINDS.has(kind);
}

export function isCompanyPageUrl(text: string): boolean {
  const [kind] = pathOf(text) ?? [];
  return kind !== undefined && !PERSON_KINDS.has(kind);
}

/** Usual first segments of paths. A page with another first segment can be of either kind. */
const PERSON_KINDS: ReadonlySet<string> = new Set(['in', 'pub', 'person', 'people']);
const COMPANY_KINDS: ReadonlySet<string> = new Set(
  'company companies school showcase organization'.split(' '),
);

const RESERVED: ReadonlySet<string> = new Set(['example', 'test', 'invalid']);
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;
const LOCAL_PART = /^[^\s@"(),:;<>[\]\\]+$/;

/** Digits with the usual punctuation, and optionally an extension. */
const PHONE = /^(\(?\+?[\d\s()./\-\u2010-\u2015\u00a0]+?)(?:\s*(?:;?ext\.?|x|#)\s*[=:]?\s*\d{1,7})?$/i;
/** The shortest subscriber numbers, of small islands, have four digits. */
const MIN_NATIONAL_DIGITS = 4;
/** E.164 allows 15 digits. A trunk prefix and a carrier's digit can precede them. */
const MAX_NATIONAL_DIGITS = 17;
/** Maximum length of a text. It leaves room for punctuation, and limits the work of the pattern above. */
const MAX_WRITTEN_CHARS = 60;

/** Returns the segments of the path in lower case; `undefined` if the text is not the address of a page. */
function pathOf(text: string): readonly string[] | undefined {
  if (/\s/.test(text)) return undefined;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || url.username || url.password || !isDomain(url.hostname)) return undefined;
  const segments = url.pathname.toLowerCase().split('/').filter(Boolean);
  const [kind = ''] = segments;
  const minSegments = PERSON_KINDS.has(kind) || COMPANY_KINDS.has(kind) ? 2 : 1;
  return segments.length < minSegments ? undefined : segments;
}
