import { parse } from 'tldts';

/** The ASCII host of a domain, URL or email address, without `www.`; `undefined` if it is no internet domain. */
export function toDomain(text: string): string | undefined {
  const { hostname, domain, isIp } = parse(text.trim());
  if (hostname === null || domain === null || isIp === true) return undefined;
  return asciiHost(hostname)?.replace(/^www\./, '');
}

/** The ASCII host of a domain, URL or email address, without `www.`. It may be a public suffix, such as `ac.uk`. */
export function hostOf(text: string): string | undefined {
  const { hostname, isIp } = parse(text.trim());
  return hostname === null || isIp === true ? undefined : asciiHost(hostname)?.replace(/^www\./, '');
}

/** The registered part of a domain in ASCII: `example.co.uk` for `shop.example.co.uk`. */
export function registrableDomain(text: string): string | undefined {
  const { domain } = parse(text.trim(), { allowPrivateDomains: true });
  return domain === null ? undefined : asciiHost(domain);
}

/** The ASCII form of a host: `münchen.example` is `xn--mnchen-3ya.example`. */
function asciiHost(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

/** The name in the registrable domain: `example` for `example.com` and `example.de`. */
export function domainLabel(text: string): string | undefined {
  return parse(text.trim(), { allowPrivateDomains: true }).domainWithoutSuffix ?? undefined;
}

/** A web address with its scheme; `undefined` if it is invalid. */
export function toUrl(text: string): string | undefined {
  const trimmed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (/\s/.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, hostname, username } = new URL(address);
  const usable = /^https?:$/.test(protocol) && hostname.includes('.') && username === '';
  return usable ? address : undefined;
}

/** The normal form of an address: lower case, without scheme, `www.` and trailing slash. */
export function addressKey(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '');
}

/** The normal form of a profile or company page: `https://host/path`; `undefined` for other texts. */
export function profileUrl(text: string): string | undefined {
  const key = profileKey(text);
  return /^[^/\s]+\.[^/\s]+\/[^\s]+$/.test(key) ? `https://${key}` : undefined;
}

/** Identifies a profile or company page across language hosts, mobile hosts, languages in the path, query and fragment. */
export function profileKey(text: string): string {
  const bare = text.split(/[?#]/)[0] ?? '';
  const key = addressKey(decoded(bare)).replace(/^(?:[a-z]{2,3}|mobile|touch)\.(?=[^./]+\.[a-z]+\/)/, '');
  return key.replace(
    /(?<=\/(?:in|pub|company|school|showcase)\/[^/]+)\/(?:[a-z]{2}(?:[-_][a-z]{2})?|about|mycompany|life|people|jobs)$/,
    '',
  );
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
