import { parse } from 'tldts';

/** The host of a domain, URL or email address in its ASCII form, without `www.`; `undefined` for what is no internet domain. */
export function toDomain(text: string): string | undefined {
  const { hostname, domain, isIp } = parse(text.trim());
  if (hostname === null || domain === null || isIp === true) return undefined;
  return asciiHost(hostname)?.replace(/^www\./, '');
}

/** The host of a domain, URL or email address in its ASCII form, without `www.`; also one that cannot be registered, such as `ac.uk`. */
export function hostOf(text: string): string | undefined {
  const { hostname, isIp } = parse(text.trim());
  return hostname === null || isIp === true ? undefined : asciiHost(hostname)?.replace(/^www\./, '');
}

/** The part of a domain that its owner registered, in its ASCII form: `shop.example.co.uk` belongs to `example.co.uk`. */
export function registrableDomain(text: string): string | undefined {
  const { domain } = parse(text.trim(), { allowPrivateDomains: true });
  return domain === null ? undefined : asciiHost(domain);
}

/** `münchen.example` and `xn--mnchen-3ya.example` are one host. */
function asciiHost(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

/** The name within the registrable domain: `example` in both `example.com` and `example.de`. */
export function domainLabel(text: string): string | undefined {
  return parse(text.trim(), { allowPrivateDomains: true }).domainWithoutSuffix ?? undefined;
}

/** A web address with its scheme; `undefined` for what no browser would open. */
export function toUrl(text: string): string | undefined {
  const trimmed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (/\s/.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, hostname, username } = new URL(address);
  const usable = /^https?:$/.test(protocol) && hostname.includes('.') && username === '';
  return usable ? address : undefined;
}

/** What two spellings of one address share: no scheme, no `www.`, no trailing slash, lower case. */
export function addressKey(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '');
}

/** A profile or company page as one address whatever way it was written: `https://host/path`; `undefined` for another text. */
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

/** `%C3%BC` and `ü` are one letter; what cannot be decoded stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC');
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
