import { parse } from 'tldts';

/** The host of a domain, URL or email address, without `www.`; `undefined` for what is no internet domain. */
export function toDomain(text: string): string | undefined {
  const { hostname, domain, isIp } = parse(text.trim());
  if (hostname === null || domain === null || isIp === true) return undefined;
  return hostname.replace(/^www\./, '');
}

/** The part of a domain that its owner registered: `shop.example.co.uk` belongs to `example.co.uk`. */
export function registrableDomain(text: string): string | undefined {
  return parse(text.trim(), { allowPrivateDomains: true }).domain ?? undefined;
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

/** Identifies a profile or company page across language hosts, query and fragment. */
export function profileKey(text: string): string {
  const bare = text.split(/[?#]/)[0] ?? '';
  return addressKey(bare).replace(/^[a-z]{2,3}\.(?=[^./]+\.[a-z]+\/)/, '');
}
