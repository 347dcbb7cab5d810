import type { CrmRecord } from '#shared/crm/crm-record.ts';
import { isFreeMailDomain } from './free-mail.ts';
import { toE164 } from './phone-number.ts';
import { profileKey, registrableDomain, toDomain } from './web-address.ts';

/** A value of a record, trimmed; `undefined` where there is none. */
export function textOf(record: CrmRecord, property: string): string | undefined {
  const text = record.properties[property]?.trim();
  return text === '' ? undefined : text;
}

export interface MailAddress {
  readonly address: string;
  readonly domain: string;
  readonly free: boolean;
}

/** A contact's address in normal form, if it is one. */
export function mailOf(record: CrmRecord): MailAddress | undefined {
  const address = textOf(record, 'email')?.toLowerCase();
  if (!address || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(address)) return undefined;
  const domain = toDomain(address.slice(address.lastIndexOf('@') + 1));
  return domain === undefined ? undefined : { address, domain, free: isFreeMailDomain(domain) };
}

/** A profile or company page as one address whatever way it was written: `https://host/path`. */
export function profileUrlOf(record: CrmRecord, property: string): string | undefined {
  const text = textOf(record, property);
  if (!text) return undefined;
  const key = profileKey(text);
  return /^[^/\s]+\.[^/\s]+\/[^\s]+$/.test(key) ? `https://${key}` : undefined;
}

/** The registrable domain of the first property that holds one and is not a mail provider's. */
export function companyDomainOf(record: CrmRecord, properties: readonly string[]): string | undefined {
  for (const property of properties) {
    const text = textOf(record, property);
    const domain = text && registrableDomain(text);
    if (domain && !isFreeMailDomain(domain)) return domain;
  }
  return undefined;
}

/** The first phone that can be told to be a number, in E.164; one with an extension is a switchboard's, nobody's own. */
export function phoneOf(record: CrmRecord): string | undefined {
  for (const property of ['phone', 'mobilephone']) {
    const text = textOf(record, property);
    const number = text && toE164(text);
    if (number && !number.includes('ext')) return number;
  }
  return undefined;
}
