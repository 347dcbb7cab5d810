import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { parse } from 'tldts';
import { isDomain, isEmailAddress, isPhoneNumber } from '../plausible-forms.ts';
import { isFreeMailDomain, isSharedHost } from '../shared-addresses.ts';
import { registrableDomain, toDomain, toUrl } from '../web-address.ts';
import { cleanText } from './clean-texts.ts';
import { type Cleaned, clean, unusable } from './cleaned.ts';
import { whyNoValue } from './placeholders.ts';
import { plainText } from './plain-text.ts';

/** Domains that stand in samples and forms. The endings that RFC 2606 reserves for samples stay usable for tests. */
const SAMPLE_DOMAIN =
  /^(?:domain|your-?domain|my-?domain|domainname|company|your-?company|my-?company|companyname|website|your-?website|example|your-?site|mysite|email|e-?mail|no-?e?mail|none|null|unknown|undefined|test|xxx+|asdf|nowhere|na)\.(?:com|net|org|tld|de|fr|co|io|xyz|tst)$|\.(?:invalid|localhost|local)$|^(?:tld|domain)\.tld$/;

/** Mailboxes that stand in samples and forms, or say that there is no address. */
const SAMPLE_MAILBOX =
  /^(?:email[_.-]?not[_.-]?unlocked|not[_.-]?unlocked|locked|hidden|masked|redacted|no[_.-]?e?mail|no[_.-]?address|none|null|undefined|unknown|nan|n[_.-]?a|test(?:[_.-]?(?:user|email|mail|er|\d+))?|dummy|fake|sample|example|placeholder|x{2,}|asdf\w*|qwert[yz]?|(.)\1{2,}|first[_.-]?(?:name)?[_.-]last[_.-]?(?:name)?|(?:first|last)[_.-]?name|vorname[_.-]?nachname|prenom[_.-]nom|nombre[_.-]apellidos?|(?:your|my)[_.-]?(?:name|e?mail)|name|user(?:[_.-]?name)?|some(?:one|body)|any(?:one|body)|nobody|e-?mail)$/;

/**
 * Cleans an email address: lower case, without `mailto:`, a name in front of angle brackets, and a full stop behind.
 * Addresses of mail providers and of offices are values; see `mailAddress`.
 */
export function cleanEmail(text: string): Cleaned {
  const plain = plainText(text);
  const [, bracketed] = /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(plain) ?? [];
  const address = (bracketed ?? plain)
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/, '')
    .replace(/^[\s"'<(]+|[\s"'>).,;]+$/g, '')
    .toLowerCase();
  const at = address.lastIndexOf('@');
  const [mailbox, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at > 0 && /[*•●…]|x{4,}|\.{2,}/.test(address)) return unusable('masked');
  if (at > 0 && (SAMPLE_DOMAIN.test(domain) || SAMPLE_MAILBOX.test(mailbox))) return unusable('placeholder');
  const why = whyNoValue(plain, 'other');
  if (why !== undefined) return unusable(why);
  return isEmailAddress(address) ? clean(address) : unusable('malformed');
}

/** Cleans the domain of a company. Also accepts a URL. */
export function cleanCompanyDomain(text: string): Cleaned {
  const cleaned = cleanHost(text);
  if (cleaned.value === undefined) return cleaned;
  return isFreeMailDomain(registrableDomain(cleaned.value) ?? '') || isSharedHost(cleaned.value)
    ? unusable('shared-host')
    : cleaned;
}

/** Cleans a domain, whosever it is. Also accepts a URL. */
export function cleanHost(text: string): Cleaned {
  return cleanText(text, 'other', cleanPlainHost);
}

function cleanPlainHost(plain: string): Cleaned {
  if (plain.includes('@') || plain.includes('*')) return unusable('malformed');
  const host = toDomain(plain.replace(/\.$/, ''))?.toLowerCase();
  if (host === undefined || !isDomain(host)) return unusable('malformed');
  return SAMPLE_DOMAIN.test(host) ? unusable('placeholder') : clean(host);
}

/** The last part of a page's address that stands for no page. */
const SAMPLE_PAGE =
  /\/(?:in|pub|company|school|showcase)\/?$|\/(?:null|undefined|unknown|none|n-?a|nan|false|me|your-?name|your-?profile|username|profile-?name|company-?name|your-?company)\/?$/i;

/** Cleans the address of a page: with a scheme, without tracking parameters. */
export function cleanUrl(text: string): Cleaned {
  const plain = plainText(text);
  const why = /^\w+:\/\//.test(plain) ? undefined : whyNoValue(plain, 'other');
  if (why !== undefined) return unusable(why);
  const url = toUrl(plain.replace(/^["'<(]+|["'>),;]+$/g, ''));
  if (url === undefined) return unusable('malformed');
  const { hostname, pathname, port } = new URL(url);
  const host = hostname.replace(/^www\./, '');
  if (/[*•]|x{5,}/i.test(host + pathname)) return unusable('masked');
  if (SAMPLE_DOMAIN.test(host) || SAMPLE_PAGE.test(pathname)) return unusable('placeholder');
  return isDomain(host) && port === '' ? clean(url) : unusable('malformed');
}

/** Cleans a company's website. A page on a shared host is a website; the start page of such a host is none. */
export function cleanWebsite(text: string): Cleaned {
  const cleaned = cleanUrl(text);
  if (cleaned.value === undefined) return cleaned;
  const { hostname, pathname } = new URL(cleaned.value);
  const domain = cleanCompanyDomain(hostname);
  const isStartPage = /^\/?(?:index\.\w+|home)?\/?$/.test(pathname);
  const isWholeHost = parse(hostname).domain === hostname.replace(/^www\./, '');
  return domain.unusable === 'shared-host' && isStartPage && isWholeHost ? unusable('shared-host') : cleaned;
}

/** Digits of samples, without the country's code: one digit many times, or a row of them. */
const SAMPLE_NUMBER = /^(\d)\1{6,}$|123456(?:7|$)|987654321/;

/** Cleans a phone number. A number in national form stays as it is, because its country is not known here. */
export function cleanPhone(text: string): Cleaned {
  const plain = plainText(text).replace(/^tel:/i, '');
  if (/[*•]|x{3,}|…|#{2,}/i.test(plain)) return unusable('masked');
  const why = whyNoValue(plain, 'other');
  if (why !== undefined) return unusable(why);
  const digits = parsePhoneNumberFromString(plain)?.nationalNumber ?? plain.replace(/\D/g, '');
  if (SAMPLE_NUMBER.test(digits) || /^\W*0+\W*$/.test(plain)) return unusable('sentinel');
  if (!isPhoneNumber(plain)) return unusable('malformed');
  return clean(plain);
}
