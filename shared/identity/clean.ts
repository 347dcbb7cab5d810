import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { parse } from 'tldts';
import {
  isCompanyPageUrl,
  isDomain,
  isEmailAddress,
  isPersonProfileUrl,
  isPhoneNumber,
} from './plausible-forms.ts';
import { isFreeMailDomain, isNobodysHost, isSharedHost } from './shared-addresses.ts';
import {
  type Cleaned,
  clean,
  MAX_LINE_CHARS,
  MAX_TEXT_CHARS,
  plainParagraphs,
  plainText,
  type TextKind,
  unusable,
  whyNoValue,
} from './texts.ts';
import { registrableDomain, toDomain, toUrl } from './web-address.ts';

/**
 * Cleans a text of one line, such as a title, a city or a label.
 * @param refine cleans the plain text further
 */
export function cleanText(
  text: string,
  kind: TextKind = 'other',
  refine: (plain: string) => Cleaned = clean,
): Cleaned {
  const { value, unusable: why } = usable(plainText(text), kind);
  return value === undefined ? unusable(why ?? 'blank') : refine(value);
}

/** @returns the text without what a program left at its ends, unless it is no value before or after. */
function usable(plain: string, kind: TextKind): Cleaned {
  const why = whyNoValue(plain, kind);
  if (why !== undefined) return unusable(why);
  if (plain.length > MAX_LINE_CHARS) return clean(plain);
  const bare = plain.replace(LEFT_AT_ENDS, '').replace(/[\s,;]+$/, '');
  const whyBare = bare === plain ? undefined : whyNoValue(bare, kind);
  return whyBare === undefined ? clean(bare) : unusable(whyBare);
}

/** What a program writes for a missing part: `null, Hamburg`, `CTO at undefined`, `CTO at [Company]`, `CTO, N/A`. */
const LEFT_AT_ENDS =
  /^(?:null|undefined|NaN)[\s,]+|(?:[\s,|-]+|\s+(?:at|@)\s+)(?:null|undefined|NaN|(?<=,\s*)N\/A)$|\s+(?:(?:at|@)\s+)?(?:\[[^[\]]*\]|<(?:Company|Employer)[^<>]*>|\{\{[^{}]*\}\})$/u;

/** Cleans a job title: without pictures, bullets, quotes around it and its repetition in brackets. */
export function cleanTitle(text: string): Cleaned {
  const plain = plainText(text);
  const why = whyNoValue(plain, 'job-title');
  if (why !== undefined) return unusable(why);
  // Some lists cut long titles.
  if (/\p{L}(?:…|\.{3})$/u.test(plain)) return unusable('masked');
  return usable(withoutOrnaments(plain).replace(/^(.+) \(\1\)$/u, '$1'), 'job-title');
}

/** Removes pictures, and punctuation that stands around a text. */
function withoutOrnaments(plain: string): string {
  return plain
    .replace(PICTURES, ' ')
    .replace(/^[\s•·∙▪*–—"“„;,|/&\ufffd-]+|[\s•·∙▪*"“”;,|/&–—\ufffd-]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** Cleans a text of several lines, such as a description. */
export function cleanParagraphs(text: string): Cleaned {
  if (text.length > MAX_TEXT_CHARS) return unusable('malformed');
  const plain = plainParagraphs(text)
    .replace(SCRIPT, '')
    .replace(/(?<![*\w])\*\*(?=[^\s*])([^*]+)(?<!\s)\*\*(?!\*)/g, '$1')
    .replace(/\s*(?:…|\.{3})?\s*(?:see|read|show|view) more(?:…|\.{3})?$/i, '');
  if (plain.length <= MAX_NOTICE_CHARS && NOTICE.test(plain)) return unusable('placeholder');
  return usable(plain, 'paragraphs');
}

/** The script of a page behind its text. */
const SCRIPT = /\s*(?:window\.\w{1,99}\s*=|gtag\(|\(?function\s*\w{0,99}\([\w\s,]{0,999}\)\s*\{)[\s\S]*$/;

/** Longer texts that begin so are descriptions. */
const MAX_NOTICE_CHARS = 160;
/** Notices of servers, browsers and site builders in place of a description. */
const NOTICE =
  /^(?:lorem ipsum|just a moment|just another wordpress|(?:error )?40[34](?: error| forbidden| not found|:|$)|attention required|verify you are human|sorry, you have been blocked|javascript is |access denied|page not found|index of \/|(?:this |the )?(?:web ?site|site|domain|page) (?:is|may be) (?:parked|for sale|coming|under|currently)|(?:site |website )?under (?:construction|maintenance)|coming soon|(?:please |you need to )?enable (?:javascript|cookies)|your browser|(?:log|sign) in (?:or|to)|redirecting(?: to\b| you\b|\W*$)|buy this domain|we'll be back|welcome to nginx|we use cookies|this is a sample|this company has not|default description|(?:company )?description$|about us$|no description|click here to|add your )/i;

/** Cleans a city, a state or a country. */
export function cleanPlace(text: string): Cleaned {
  const why = whyNoValue(plainText(text), 'place');
  if (why !== undefined) return unusable(why);
  const bare = withoutOrnaments(plainText(text))
    .replace(/^location: */i, '')
    .replace(/ *\((?:remote|hybrid|on-?site|hq|headquarters)\)$/i, '');
  return cleanText(bare, 'place', (plain) => (/\p{L}/u.test(plain) ? clean(plain) : unusable('malformed')));
}

/** Cleans a city: also without a postal code before it, and without the state or the country behind it. */
export function cleanCity(text: string): Cleaned {
  const { value, unusable: why } = cleanPlace(text);
  if (value === undefined) return unusable(why ?? 'blank');
  return cleanPlace(value.replace(/^\d{4,6} /, '').replace(/,.*$/, ''));
}

export function cleanCompanyName(text: string): Cleaned {
  const plain = plainText(text);
  const why = whyNoValue(plain, 'company-name');
  if (why !== undefined) return unusable(why);
  const bare = plain
    .replace(PICTURES_OF_NAMES, ' ')
    .replace(PAGE_TITLE, '')
    .replace(AROUND_NAME, '')
    .replace(/\s+/g, ' ');
  return /\S@\S+\.\S/.test(bare) ? unusable('malformed') : usable(bare, 'company-name');
}

/** Cleans a first name, a last name or a whole name: without pictures, courtesy titles, degrees and remarks. */
export function cleanPersonName(text: string): Cleaned {
  return cleanText(text, 'person-name', cleanBareName);
}

function cleanBareName(text: string): Cleaned {
  const name = bareName(text);
  // Some networks show the first letter alone, or cut the name.
  if (/[*…]|\.{3}/.test(name) || /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\.?$/u.test(name))
    return unusable('masked');
  if (!/\p{L}/u.test(name) || /[@?\ufffd<>{}\\=]|\d.*\d|:\/\/|^www\./u.test(name))
    return unusable('malformed');
  if (DEGREE_ALONE.test(name)) return unusable('malformed');
  const whyBare = whyNoValue(name, 'person-name');
  return whyBare === undefined ? clean(name) : unusable(whyBare);
}

/** What the title of a page adds to the company's name. */
const PAGE_TITLE =
  /^(?:home(?:page)? [-|–] |welcome to )|(?:: overview)? \| linkedin$| [-|–] (?:home(?:page)?|official (?:web)?site|google search|logo)$| · (?:full|part)-time$/i;

/** Quotes around a part of the name, as in `"Nova" LLC`, belong to it. */
const AROUND_NAME = /^[\s@"“„]+(?=[^"“”„]*["“”]*$)|(?<=^["“„]*[^"“”„]*)[\s,;"“”]+$/gu;

/** Signs of trade marks belong to some names. */
const PICTURES_OF_NAMES = /(?![©®™])\p{Extended_Pictographic}|\ufe0f/gu;

const PICTURES =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u{1f1e6}-\u{1f1ff}\u{e0020}-\u{e007f}]|[\ufe0e\ufe0f]|\u20e3|[\u25a0-\u27bf]|\u200d(?!\p{L})/gu;

/** Letters in styles of their own, such as bold or wide ones. The letters of some scripts also have other forms. */
const STYLED = /[\u{1d400}-\u{1d7ff}\u2460-\u24ff\ufb00-\ufb06\uff01-\uff5e]+/gu;

/** A remark after the name: `Jane | Sales Leader`, `Jane - we are hiring`, `Jane (she/her)`. */
const REMARK =
  /^#\S+\s+|\s*[|•∙].*$|\s+["“„][^"“”„]*["”“]|\s(?:[Hh]e|[Ss]he|[Tt]hey)\s*\/\s*(?:[Hh]im|[Hh]er|[Tt]hem|[Tt]hey)\b.*$|\s(?:at|@)\s+\p{Lu}.*$|\s·\s.*$|\s[-–—:]+\s.*$|\s*[([{][^)\]}]*[)\]}]?/gu;

const COURTESY =
  /^(?:(?:dr(?:\.in)?|prof|professor|mr|mrs|ms|miss|mx|herr|frau)(?:\.\s*|\s+)|(?:(?:ing|dipl\.?[ -]?\p{L}+|dott|avv|arch|eng|lic|rev|mag|mgr|bc|sra?|capt|mme|mlle|med|univ|em|habil|h\.\s?c)\.|dott\.ssa)(?:in\b|a\b)?\s*(?:\(fh\)\s*)?)+(?=\p{L})/iu;

/** Degrees and certificates. After a comma any of them counts; without one, only those that are no names. */
const DEGREE =
  'ph\\.?\\s?d|m\\.?b\\.?a|e?mba|m\\.?\\s?sc|b\\.?\\s?sc|m\\.?\\s?eng|b\\.?\\s?eng|ll\\.?\\s?[mb]|md|m\\.d\\.|jd|esq|cpa|cfa|cfp|acca|' +
  'pmp|csm|cspo|pmi-acp|cissp|cisa|cism|shrm-cp|shrm-scp|phr|sphr|rn|dds|dvm|edd|dba|mph|msw|lcsw|aia|leed ap|prince2|' +
  'itil|six sigma|cscp|cfe|cma|fca|aca|fcca|gphr|pe|p\\.e\\.|dipl\\.?[ -]?(?:ing|kfm)\\.?';
const AFTER_COMMA = new RegExp(`\\s*,\\s*(?:${DEGREE})\\b.*$`, 'iu');
/** After a comma, capitals are letters of a degree, unless the name is written in capitals too. */
const CAPITALS_AFTER_COMMA =
  /(?<=\p{Ll})(?:\s+\p{Lu}{2,4})?\s*,\s*(?:\p{Lu}[\p{Lu}.&+-]+|(?:\p{Lu}\p{Ll}{0,3}\.){2,})(?![\p{Ll}]).*$/u;
const DEGREE_ALONE = new RegExp(`^(?:${DEGREE})$`, 'iu');
const CERTAIN_DEGREE =
  /(?<=\p{L})\s+(?:ph\.?d|mba|m\.b\.a|msc|m\.sc|bsc|b\.sc|cpa|cfa|pmp|cissp|esq|shrm-s?cp|sphr|m\.d|fcipd|mcipd|mcips|fcips|pcc|csm|cspo|facs|bsn|ceng|ieng|mimeche|frics|mrics|fcca|acca|cfp)\.?(?=[\s,]|$).*$/iu;

function bareName(text: string): string {
  return text
    .replace(PICTURES, ' ')
    .replace(STYLED, (letters) => letters.normalize('NFKC'))
    .replace(REMARK, '')
    .replace(AFTER_COMMA, '')
    .replace(CAPITALS_AFTER_COMMA, '')
    .replace(CERTAIN_DEGREE, '')
    .replace(COURTESY, '')
    .replace(/^[\s,;:/~"“”«»!+_-]+|[\s,;:/~"“”«»!+_-]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** Largest number that can be a count of people: above any employer on earth. */
const MAX_PEOPLE = 10_000_000;

/** Databases write their largest number, or a row of nines, for an unknown one. */
function isSentinel(value: number): boolean {
  return (
    value <= 0 ||
    /^9{4,}$|^123456(?:789)?$/.test(String(value)) ||
    [32767, 65535, 2147483647, 4294967295].includes(value)
  );
}

/** Cleans a number of employees. */
export function cleanHeadCount(value: number): Cleaned<number> {
  if (!Number.isFinite(value) || isSentinel(value)) return unusable('sentinel');
  return Number.isInteger(value) && value <= MAX_PEOPLE ? clean(value) : unusable('malformed');
}

/** Cleans an amount of money, such as a revenue. A company without any is not known to have none. */
export function cleanAmount(value: number): Cleaned<number> {
  if (!Number.isFinite(value) || isSentinel(value)) return unusable('sentinel');
  return value <= MAX_AMOUNT ? clean(value) : unusable('malformed');
}

/** Above any company on earth, in any currency. */
const MAX_AMOUNT = 5e15;

/** Earliest year that a company's foundation can have. */
const FIRST_YEAR = 1000;

const SENTINEL_YEARS: ReadonlySet<number> = new Set([1000, 1001, 1111, 1234]);

/** Cleans a year of the past, such as a year of foundation. */
export function cleanPastYear(value: number, nowMs: number): Cleaned<number> {
  if (!Number.isInteger(value)) return unusable('malformed');
  const isPast = value >= FIRST_YEAR && value <= new Date(nowMs).getUTCFullYear();
  return isPast && !SENTINEL_YEARS.has(value) ? clean(value) : unusable('sentinel');
}

/** The zero of Unix, also where it is still the day before, and of DOS. Those of other programs are too long ago. */
const SENTINEL_DAYS: ReadonlySet<string> = new Set(['1969-12-31', '1970-01-01', '1980-01-01']);

/**
 * Cleans a day of the past. The day is the written one, whatever its time zone.
 * @param latestMs the latest time that is possible, epoch milliseconds
 */
export function cleanDay(text: string, latestMs: number): Cleaned {
  return cleanText(text, 'other', (plain) => cleanPlainDay(plain, latestMs));
}

function cleanPlainDay(plain: string, latestMs: number): Cleaned {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(plain) ?? [];
  if (day === undefined) return unusable('malformed');
  if (day.startsWith('0000') || SENTINEL_DAYS.has(day)) return unusable('sentinel');
  const ms = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) return unusable('malformed');
  return ms <= latestMs && day >= '1920' ? clean(day) : unusable('sentinel');
}

const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const ONE_PERSON = /^(?:myself only|self[- ]?employed)$/i;

/** Cleans a range of numbers of employees, such as `11-50`, `51 to 200 employees` or `10,001+`. */
export function cleanEmployeeRange(text: string): Cleaned {
  const plain = plainText(text);
  if (ONE_PERSON.test(plain)) return clean(plain);
  return cleanText(plain, 'other', cleanPlainRange);
}

function cleanPlainRange(plain: string): Cleaned {
  if (/^-\s*\d/.test(plain)) return unusable('sentinel');
  // A spreadsheet takes `1-50` for a date.
  if (MONTH.test(plain)) return unusable('malformed');
  const numbers = (plain.match(/\d[\d,. ]*\d|\d/g) ?? []).map((digits) =>
    Number(digits.replace(/[,. ]/g, '')),
  );
  const [low, high = low] = numbers;
  if (low === undefined || high === undefined || numbers.length > 2 || high < low)
    return unusable('malformed');
  return high === 0 || isSentinel(high) ? unusable('sentinel') : clean(plain);
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Cleans the code of a currency. A sign such as `$` belongs to several currencies. */
export function cleanCurrency(text: string): Cleaned {
  return cleanText(text, 'other', (plain) => {
    const code = plain.toUpperCase();
    if (code === 'XTS') return unusable('placeholder');
    return CURRENCIES.has(code) ? clean(code) : unusable('malformed');
  });
}

/** Cleans an id of the vendor. */
export function cleanId(text: string): Cleaned {
  return cleanText(text, 'other', (plain) =>
    /^-?[0-]+$|^-1$/.test(plain) ? unusable('sentinel') : clean(plain),
  );
}

/** Cleans a postal code. */
export function cleanPostalCode(text: string): Cleaned {
  return cleanText(text, 'place', (plain) => {
    if (/^(?:0+|9{5,}|1{5}|7{5}|123456|1234567890|a1a 1a1)(?:-[09]+)?$/i.test(plain))
      return unusable('sentinel');
    // The city can stand behind it.
    const code = plain.replace(/^(\p{L}{1,2}-)?(\d{4,6}) \p{L}{3,}.*$/u, '$1$2');
    return /\d/.test(code) && !/\d\.\d/.test(code) && code.length >= 3 && code.length <= 16
      ? clean(code)
      : unusable('malformed');
  });
}

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
