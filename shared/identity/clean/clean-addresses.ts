import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { parse } from 'tldts';
import {
  isCompanyPageUrl,
  isDomain,
  isEmailAddress,
  isPersonProfileUrl,
  isPhoneNumber,
} from '../plausible-forms.ts';
import { isFreeMailDomain, isNobodysHost, isSharedHost } from '../shared-addresses.ts';
import { registrableDomain, toDomain, toUrl } from '../web-address.ts';
import { cleanText } from './clean-texts.ts';
import { type Cleaned, clean, unusable } from './cleaned.ts';
import { whyNoValue } from './placeholders.ts';
import { MAX_LINE_CHARS, plainText } from './plain-text.ts';

/** Domains that stand in samples and forms. The endings that RFC 2606 reserves for samples stay usable for tests. */
const SAMPLE_DOMAIN =
  /^(?:domain|your-?domain|my-?domain|domainname|company|your-?company|my-?company|companyname|website|your-?website|example|your-?site|mysite|email|e-?mail|no-?e?mail|none|null|unknown|undefined|test|xxx+|asdf|nowhere|na|tbd|tba|no-?website|no-?domain|coming-?soon|abc(?=\.com)|aaa|asdasd|unsubscribed|placeholder|dummy|fake|private|hidden|not-?provided|do-?not-?e?mail|no)\.(?:com|net|org|tld|de|fr|co|io|xyz|tst)$|\.(?:invalid|localhost|local)$|^(?:tld|domain)\.tld$/;

/** Domains that take mail for nobody in particular, for minutes. */
const THROWAWAY_DOMAIN =
  /^(?:mailinator|yopmail|guerrillamail|sharklasers|10minutemail|temp-?mail|trash-?mail|getnada|maildrop)\.(?:com|net|org|de)$/;

/** Mailboxes that stand in samples and forms, or say that there is no address. */
const SAMPLE_MAILBOX =
  /^(?:email[_.-]?not[_.-]?unlocked|not[_.-]?unlocked|locked|hidden|masked|redacted|no[_.-]?e?mail|no[_.-]?address|catch-?all|inactive|invalid|do[_.-]?not[_.-]?(?:use|e?mail|contact)|deleted(?:[_.-]\w+)*|former[_.-]?employee|none|null|undefined|unknown|nan|n[_.-]?a|test(?:[_.-]?(?:user|email|mail|er|\d+))?|dummy|fake|sample|example|placeholder|x{2,}|asdf\w*|qwert[yz]?|(.)\1{2,}|first[_.-]?(?:name)?[_.-]last[_.-]?(?:name)?|(?:first|last)[_.-]?name|vorname[_.-]?nachname|(?:max|erika)[_.-]?mustermann|prenom[_.-]nom|nombre[_.-]apellidos?|(?:your|my)[_.-]?(?:name|e?mail)|name|user(?:[_.-]?name)?|some(?:one|body)|any(?:one|body)|nobody|e-?mail)$/;

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
  if (/^[^@]*[{}%]|^([a-z]|(.)\2+|abc|asd|qwe|xyz|\d+)@\1\./.test(address) || THROWAWAY_DOMAIN.test(domain))
    return unusable('placeholder');
  const why = whyNoValue(address, 'other');
  if (why !== undefined) return unusable(why);
  return isEmailAddress(address) ? clean(address) : unusable('malformed');
}

/** Cleans the domain of a company. Also accepts a URL. */
export function cleanCompanyDomain(text: string): Cleaned {
  const cleaned = cleanHost(text);
  if (cleaned.value === undefined) return cleaned;
  return isFreeMailDomain(registrableDomain(cleaned.value) ?? '') || isSharedHost(plainText(text))
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
  /\/(?:in|pub|company|school|showcase)\/?$|\/(?:null|undefined|unknown|none|n-?a|nan|false|me|your-?name|your-?profile|username|profile-?name|company-?name|your-?company|(?:in|company)\/(?:un|not-?)available|(?:in|company)\/[-0]|in\/edit|in\/(?:linkedin-)?member|company\/(?:setup(?:\/new)?|linkedin))\/?$/i;

/** Pages that lead elsewhere, on hosts that are somebody's site. */
const NOBODYS_PAGE =
  /^godaddy\.com\/forsale|^google\.[a-z.]+\/(?:search|url)|^linkedin\.com\/redir|^youtube\.com\/redirect/i;

const TRACKING = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|trk)$/i;

/** Cleans the address of a page: with a scheme, without tracking parameters. */
export function cleanUrl(text: string): Cleaned {
  const plain = plainText(text);
  const isAddress = /^\w+:\/\//.test(plain) && plain.length <= MAX_LINE_CHARS;
  const why = isAddress ? undefined : whyNoValue(plain, 'other');
  if (why !== undefined) return unusable(why);
  const url = toUrl(
    plain
      .replace(/^["'<(]+|["'>),;]+$/g, '')
      .replace(/^(https?:)?\/{2,}/i, '$1//')
      .replace(/^\/\//, '')
      // The full stop of the root stands behind a host.
      .replace(/^((?:https?:\/\/)?[^/?#]+)\.(?=[/?#]|$)/i, '$1'),
  );
  if (url === undefined) return unusable('malformed');
  const { hostname, pathname, port } = new URL(url);
  const host = hostname.replace(/^www\./, '');
  if (/[*•]|x{5,}/i.test(host + pathname)) return unusable('masked');
  const isNobodys =
    SAMPLE_DOMAIN.test(host) ||
    SAMPLE_PAGE.test(pathname) ||
    isNobodysHost(host) ||
    NOBODYS_PAGE.test(host + pathname);
  if (isNobodys) return unusable('placeholder');
  return isDomain(host) && port === '' ? clean(withoutTracking(url)) : unusable('malformed');
}

/** An address without tracking stays as it is written, but for capitals in its host. */
function withoutTracking(url: string): string {
  const given = new URL(url);
  const names = [...given.searchParams.keys()].filter((name) => TRACKING.test(name));
  for (const name of names) given.searchParams.delete(name);
  const bare = names.length === 0 ? url.replace(/#$/, '') : given.href.replace(/(?<=:\/\/[^/]+)\/$/, '');
  return bare.replace(/^[a-z]+:\/\/[^/?#]+/i, (origin) => origin.toLowerCase());
}

/** Cleans the address of a person's profile. Other pages of a network, such as its feed, are none. */
export function cleanProfileUrl(text: string): Cleaned {
  const cleaned = cleanUrl(text);
  return cleaned.value === undefined || isPageOf(cleaned.value, isPersonProfileUrl)
    ? cleaned
    : unusable('malformed');
}

/** Cleans the address of a company's page on a network. */
export function cleanPageUrl(text: string): Cleaned {
  const cleaned = cleanUrl(text);
  return cleaned.value === undefined || isPageOf(cleaned.value, isCompanyPageUrl)
    ? cleaned
    : unusable('malformed');
}

function isPageOf(url: string, isKind: (url: string) => boolean): boolean {
  const isKnownNetwork = registrableDomain(url) === 'linkedin.com';
  return isKind(url) && (!isKnownNetwork || /\/(?:in|pub|company|school|showcase)\/./i.test(url));
}

/** Names of pictures that stand for none. */
const SAMPLE_PICTURE =
  /\/(?:[\w-]*[_-])?(?:default|placeholder|no[_-]?(?:image|img|logo|photo|picture)|missing|spacer|blank|ghost|1x1|pixel)(?:[_-][\w-]*)?\.(?:png|jpe?g|gif|svg|webp)$|^\/avatar\/0+$/i;
const PICTURE_MAKER = /^(?:via\.)?(?:placeholder\.com|placehold\.(?:co|it)|dummyimage\.com)$/;

/** Cleans the address of a logo. */
export function cleanPictureUrl(text: string): Cleaned {
  const cleaned = cleanUrl(text);
  if (cleaned.value === undefined) return cleaned;
  const { hostname, pathname } = new URL(cleaned.value);
  return SAMPLE_PICTURE.test(pathname) || PICTURE_MAKER.test(hostname) ? unusable('placeholder') : cleaned;
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
const SAMPLE_NUMBER = /^(\d)\1{6,}$|123456(?:7|$)|23456789|98765432|^555555\d{4}$/;

/** Cleans a phone number. A number in national form stays as it is, because its country is not known here. */
export function cleanPhone(text: string): Cleaned {
  const plain = plainText(text).replace(/^(?:['’]|tel:)/i, '');
  if (/[*•]|x{3,}|…|#{2,}/i.test(plain)) return unusable('masked');
  const why = whyNoValue(plain, 'other');
  if (why !== undefined) return unusable(why);
  const digits = parsePhoneNumberFromString(plain)?.nationalNumber ?? plain.replace(/\D/g, '');
  if (SAMPLE_NUMBER.test(digits) || /^\W*0+\W*$/.test(plain)) return unusable('sentinel');
  if (!isPhoneNumber(plain)) return unusable('malformed');
  return clean(plain);
}
