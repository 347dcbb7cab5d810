import querystring from 'node:querystring';
import { domainToASCII } from 'node:url';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalises a domain to lower case, without `www.` and final dot. Returns `undefined` for other texts, such as an
 * address with a path.
 */
export function readDomain(text: string): string | undefined {
  if (text.length > 260) return undefined;
  const ascii = isAscii(text) ? text.toLowerCase() : domainToASCII(text);
  const domain = ascii.replace(/\.$/, '').replace(/^www\./, '');
  const labels = domain.split('.');
  const isDomain = labels.length >= 2 && domain.length <= 253 && labels.every((label) => LABEL.test(label));
  return isDomain && !/^\d+$/.test(labels.at(-1) ?? '') ? domain : undefined;
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

export interface PageAddress {
  readonly kind: 'person' | 'company';
  /** Lower case. */
  readonly slug: string;
}

const KINDS: Readonly<Record<string, PageAddress['kind']>> = {
  in: 'person',
  pub: 'person',
  company: 'company',
  school: 'company',
  showcase: 'company',
};

/**
 * Reads an address on the professional network, with or without scheme, `www`, language subdomain, final slash,
 * query, fragment, or a longer path.
 */
export function readPageAddress(text: string): PageAddress | undefined {
  if (text.length > 2_000) return undefined;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !/^([a-z]{2,3}\.|m\.|mobile\.)?linkedin\.com$/.test(url.hostname)) return undefined;
  const [section = '', name = ''] = url.pathname.split('/').filter((part) => part !== '');
  const kind = KINDS[section.toLowerCase()];
  const slug = querystring.unescape(name).toLowerCase();
  return kind !== undefined && /^[\p{L}\p{M}\p{N}_.&'-]+$/u.test(slug) ? { kind, slug } : undefined;
}

/** Reads an email of one local part and one domain, in lower case. Returns `undefined` for other texts. */
export function readEmail(text: string): string | undefined {
  if (text.length > 320) return undefined;
  const [local = '', domain = '', ...more] = text.toLowerCase().split('@');
  const isLocal =
    local.length <= 64 && /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u.test(local) && !local.includes('..');
  const host = readDomain(domain);
  return isLocal && more.length === 0 && host !== undefined ? `${local}@${domain}` : undefined;
}

export interface PhoneDigits {
  readonly digits: string;
  /** Whether the number certainly has a calling code, after a plus, `00` or `011`. */
  readonly isInternational: boolean;
}

/** Reads the 7 to 15 digits of a number with any usual punctuation. Drops extensions and a trunk zero in brackets. */
export function readPhone(text: string): PhoneDigits | undefined {
  if (text.length > 60) return undefined;
  const bare = text
    .toLowerCase()
    .replace(/^tel:/, '')
    .replace(/\s*(?:ext\.?|extension|x|#)\s?\d{1,6}$/, '')
    .trim();
  if (!/^\+?[\d\s().\-/\u00a0\u2010-\u2013]+$/.test(bare)) return undefined;
  const hasPlus = bare.startsWith('+');
  const dialled = (hasPlus ? bare.replace('(0)', '') : bare).replace(/\D/g, '');
  const exit = hasPlus ? '' : (/^(?:011|00)(?=[1-9])/.exec(dialled)?.[0] ?? '');
  const digits = dialled.slice(exit.length);
  return digits.length >= 7 && digits.length <= 15
    ? { digits, isInternational: hasPlus || exit !== '' }
    : undefined;
}
