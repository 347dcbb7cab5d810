import { parse } from 'tldts';
import { withScheme } from './host.ts';

/**
 * Returns the ASCII host of a domain, URL or email address, without `www.`; `undefined` if the host is not an internet
 * domain.
 */
export function toDomain(text: string): string | undefined {
  const { hostname, domain, isIp } = parse(text.trim());
  if (hostname === null || domain === null || isIp === true) return undefined;
  return asciiHost(hostname)?.replace(/^www\./, '');
}

/** Returns the registered part of a domain in ASCII: `example.co.uk` for `shop.example.co.uk`. */
export function registrableDomain(text: string): string | undefined {
  const { domain } = parse(text.trim(), { allowPrivateDomains: true });
  return domain === null ? undefined : asciiHost(domain);
}

/** Converts a host to ASCII: `münchen.example` becomes `xn--mnchen-3ya.example`. */
function asciiHost(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

/** Returns the name in the registrable domain: `example` for `example.com` and `example.de`. */
export function domainLabel(text: string): string | undefined {
  return parse(text.trim(), { allowPrivateDomains: true }).domainWithoutSuffix ?? undefined;
}

/** Adds a missing scheme to a web address; `undefined` if the address is invalid. */
export function toUrl(text: string): string | undefined {
  const address = withScheme(text);
  if (/\s/.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, hostname, username } = new URL(address);
  const usable = /^https?:$/.test(protocol) && hostname.includes('.') && username === '';
  return usable ? address : undefined;
}

/** Returns the normal form of an address: lower case, without scheme, `www.` and trailing slash. */
export function addressKey(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/(?<!\/)\/+$/, '');
}

/** Returns the normal form of a profile or company page: `https://host/path`; `undefined` for other texts. */
export function profileUrl(text: string): string | undefined {
  const key = profileKey(text);
  const [, host = ''] = /^([^/\s]+)\/\S+$/.exec(key) ?? [];
  return /.\../.test(host) ? `https://${key}` : undefined;
}

/**
 * Returns a key that is the same for all addresses of a profile or company page. Language hosts, mobile hosts, what
 * follows the page's name, query and fragment do not count. The network's address may stand within another text, such
 * as a redirect. A member's id keeps its case.
 */
export function profileKey(text: string): string {
  const whole = decoded(text);
  const [, kind = '', rest = ''] = NETWORK_PAGE.exec(whole) ?? [];
  const key = kind === '' ? otherKey(text) : `linkedin.com/${kind.toLowerCase()}/${rest}`;
  const [, page = key, name = ''] = PAGE_NAME.exec(key) ?? [];
  const former = FORMER_PROFILE.exec(key)?.[0];
  if (former !== undefined) return former.toLowerCase();
  return MEMBER_ID.test(name) ? page.slice(0, -name.length).toLowerCase() + name : page.toLowerCase();
}

/** A page on the network, also below the paths of its mobile sites. What could follow a name in a text ends it. */
const NETWORK_PAGE =
  /(?<![\w-])linkedin\.com\/(?:(?:comm|mwlite|m|organization-guest)\/)?(in|pub|company|school|showcase)\/((?:(?!&\w+=|,\s*(?:https?:|www\.|linkedin\.|$))[^?#;|\s"'<>)\]])+)/i;
const PAGE_NAME = /^(.+\/(?:in|pub|company|school|showcase)\/([^/]+))(?:\/.*)?$/i;
/** An old public profile: three numbers after the name tell people with the same name apart. */
const FORMER_PROFILE = /^.+\/pub\/[^/]+(?:\/[0-9a-f]{1,3}){3}(?=\/|$)/i;
const MEMBER_ID = /^AC[ow]AA[\w-]{10,}$/;

function otherKey(text: string): string {
  const [address = ''] = (text.split(/[?#]/)[0] ?? '').split(/[;,|]\s*(?=https?:|www\.|$)/);
  return addressKey(decoded(address)).replace(/^(?:[a-z]{2,3}|mobile|touch)\.(?=[^./]+\.[a-z]+\/)/, '');
}

/** Decodes escapes, so that `%C3%BC` equals `ü`. An invalid escape stays unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC');
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
