import type { CrmRecord } from '#shared/crm';
import { foldText } from './fold.ts';
import { canonicalFirstName } from './nicknames.ts';
import { toE164 } from './phone-number.ts';
import { isFreeMailDomain, isRoleMailbox, isSharedHost } from './shared-addresses.ts';
import { addressKey, profileKey, registrableDomain, toDomain } from './web-address.ts';

/** Returns a trimmed value of a record; `undefined` if the property is empty. */
export function textOf(record: Pick<CrmRecord, 'properties'>, property: string): string | undefined {
  const text = record.properties[property]?.trim();
  return text === '' ? undefined : text;
}

export interface MailAddress {
  /** Lower case, with the domain in ASCII form and without a tag after a plus. */
  readonly address: string;
  readonly domain: string;
  readonly free: boolean;
  /** A mailbox of an office or a machine, such as `info@` or `noreply@`, and not of a person. */
  readonly role: boolean;
}

/** Returns a contact's main address in normal form, if it is valid. */
export function mailOf(record: Pick<CrmRecord, 'properties'>): MailAddress | undefined {
  return mailAddress(record.properties['email'] ?? '');
}

/**
 * Returns all addresses of a contact: the main address, then HubSpot's additional addresses, which include addresses of
 * merged records.
 */
export function addressesOf({ properties }: Pick<CrmRecord, 'properties'>): MailAddress[] {
  const additional = properties['hs_additional_emails']?.split(';') ?? [];
  const all = [properties['email'] ?? '', ...additional].flatMap((text) => mailAddress(text) ?? []);
  return [...new Map(all.map((mail) => [mail.address, mail])).values()];
}

/** Parses an email address to its normal form; `undefined` for another text. */
export function mailAddress(given: string): MailAddress | undefined {
  const text = given.trim().toLowerCase();
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)) return undefined;
  const at = text.lastIndexOf('@');
  const domain = toDomain(text.slice(at + 1));
  // The mailbox is the part before a plus. An address that starts with a plus keeps it.
  const mailbox = text.slice(0, at).replace(/(?<=.)\+.*$/, '');
  if (domain === undefined) return undefined;
  const address = `${mailbox}@${domain}`;
  return { address, domain, free: isFreeMailDomain(domain), role: isRoleMailbox(mailbox) };
}

/**
 * Returns the registrable domain of the first property with a company's domain. Mail providers and shared hosts do not
 * count.
 */
export function companyDomainOf(
  record: Pick<CrmRecord, 'properties'>,
  properties: readonly string[],
): string | undefined {
  for (const property of properties) {
    const domain = companyDomain(textOf(record, property) ?? '');
    if (domain !== undefined) return domain;
  }
  return undefined;
}

/** Returns the domain for the lookup of a company. The website is the second choice. */
export function ownDomainOf(company: Pick<CrmRecord, 'properties'>): string | undefined {
  return companyDomainOf(company, ['domain', 'website']);
}

/** Returns the registrable domain of an address, if the domain belongs to a company. */
export function companyDomain(text: string): string | undefined {
  const domain = registrableDomain(text);
  return domain === undefined || isFreeMailDomain(domain) || isSharedHost(text) ? undefined : domain;
}

/**
 * Returns the first valid phone number, in E.164. A number with an extension is skipped, because it is a switchboard's.
 */
export function phoneOf(record: CrmRecord): string | undefined {
  for (const property of ['phone', 'mobilephone']) {
    const text = textOf(record, property);
    const number = text && toE164(text);
    if (number && !number.includes('ext')) return number;
  }
  return undefined;
}

/** Returns the normal form of an identifying value, so that another spelling does not count as a change. */
export function normalIdentity(record: Pick<CrmRecord, 'properties'>, property: string): string {
  const text = record.properties[property]?.trim() ?? '';
  switch (property) {
    case 'email':
      return mailAddress(text)?.address ?? foldText(text);
    case 'hs_additional_emails':
      return additionalKey(text);
    case 'hs_linkedin_url':
    case 'linkedin_company_page':
      return profileKey(text);
    case 'website':
    case 'domain':
      return (isSharedHost(text) ? undefined : registrableDomain(text)) ?? addressKey(text);
    case 'phone':
    case 'mobilephone':
      return toE164(text) ?? (text.replace(/\D/g, '') || foldText(text));
    case 'firstname':
      return canonicalFirstName(foldText(text));
    default:
      return foldText(text);
  }
}

/** Sorts the addresses, because HubSpot's order may change. */
function additionalKey(list: string): string {
  const addresses = list.split(';').map((text) => mailAddress(text)?.address ?? foldText(text));
  return [...new Set(addresses)].sort().join(';');
}
