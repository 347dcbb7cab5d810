import { parse } from 'tldts';

/**
 * Returns the ASCII host of a domain, URL or email address, without `www.`; `undefined` if the host is not an internet
 * domain.
 */
export function toDomain(text: string): string | undefined {
  const { hostname, domain, isIp } = parse(text.trim());
  if (hostname === null || domain === null || isIp === true) return undefined;
  return asciiHost(hostname)?.replace(/^www\./, '');
}

/** Like `toDomain`, but the host can also be a public suffix, such as `ac.uk`. */
export function hostOf(text: string): string | undefined {
  const { hostname, isIp } = parse(text.trim());
  return hostname === null || isIp === true ? undefined : asciiHost(hostname)?.replace(/^www\./, '');
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
  const trimmed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
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
    .replace(/\/+$/, '');
}

/** Returns the normal form of a profile or company page: `https://host/path`; `undefined` for other texts. */
export function profileUrl(text: string): string | undefined {
  const key = profileKey(text);
  return /^[^/\s]+\.[^/\s]+\/[^\s]+$/.test(key) ? `https://${key}` : undefined;
}

/**
 * Returns a key that is the same for all addresses of a profile or company page. Language hosts, mobile hosts, a
 * language in the path, query and fragment do not count.
 */
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
