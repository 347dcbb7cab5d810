import { parse } from 'tldts';
import { type CrmRecord, isAboutPerson, type ObjectType } from '#shared/crm';
import { cleanCompanyDomain, cleanEmail, cleanHost, cleanPhone, cleanUrl } from './clean.ts';
import { canonicalFirstName } from './names.ts';
import { phoneKey, toE164 } from './phone-number.ts';
import { hasPath, isFreeMailDomain, isRoleMailbox, isSharedHost } from './shared-addresses.ts';
import { foldText, wordsOf } from './texts.ts';
import { addressKey, profileKey, profileUrl, registrableDomain, toDomain } from './web-address.ts';

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

/** Returns a company's registrable domain. Those of mail providers and shared hosts do not count. */
export function companyDomainOf(company: Pick<CrmRecord, 'properties'>): string | undefined {
  return companyDomain(textOf(company, 'domain') ?? '') ?? companyDomain(textOf(company, 'website') ?? '');
}

/**
 * Returns the domain for the lookup of a company. The website is the second choice. A bare domain of a mail provider or
 * a shared host is the last: on a company's record it is the company's own, unless a page identifies another one.
 */
export function ownDomainOf(company: Pick<CrmRecord, 'properties'>): string | undefined {
  const domain = companyDomainOf(company);
  if (domain !== undefined || textOf(company, 'linkedin_company_page') !== undefined) return domain;
  const text = textOf(company, 'domain') ?? '';
  const host = cleanHost(text).value;
  return host !== undefined && parse(host).domain === host && !hasPath(text) ? host : undefined;
}

/**
 * Returns the contact's address for a lookup: the first that belongs to a person and to no mail provider. A sample or
 * masked address is none.
 */
export function businessAddressOf(record: Pick<CrmRecord, 'properties'>): MailAddress | undefined {
  return addressesOf(record).find(
    ({ address, free, role }) => !free && !role && cleanEmail(address).value !== undefined,
  );
}

/** Returns the registrable domain of an address, if the domain belongs to a company. */
export function companyDomain(text: string): string | undefined {
  const domain = cleanCompanyDomain(text).value;
  return domain === undefined ? undefined : registrableDomain(domain);
}

/**
 * Returns the first valid phone number, in E.164. A number with an extension is skipped, because it is a switchboard's.
 */
export function phoneOf(record: CrmRecord): string | undefined {
  for (const property of ['phone', 'mobilephone']) {
    const text = textOf(record, property);
    const number = text && cleanPhone(text).value && toE164(text);
    if (number && !number.includes('ext')) return number;
  }
  return undefined;
}

/** Pages of a network about one person or one company. Search, post and sales pages do not count. */
const PERSON_PAGE = /^https:\/\/linkedin\.com\/(?:in|pub)\/[^/]/;
const COMPANY_PAGE = /^https:\/\/linkedin\.com\/(?:company|school|showcase)\/[^/]/;

/** Returns the normal form of a person's profile or a company's page; `undefined` for other addresses. */
export function pageOf(text: string, objectType: ObjectType): string | undefined {
  const url = cleanUrl(profileUrl(text) ?? '').value;
  const page = isAboutPerson({ objectType }) ? PERSON_PAGE : COMPANY_PAGE;
  return url === undefined || page.test(url) || !isSharedHost(url) ? url : undefined;
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
      return phoneKey(text);
    case 'firstname':
      return canonicalFirstName(foldText(text));
    default:
      return foldText(text);
  }
}

/**
 * Whether the other field of a contact's name has this part already: beside the first name "Jane Doe", the last name
 * "Doe" would stand there twice.
 */
export function standsInOtherName(
  record: Pick<CrmRecord, 'properties'>,
  { property, value }: { readonly property: string; readonly value: string },
): boolean {
  const other = property === 'lastname' ? 'firstname' : 'lastname';
  if (property !== 'lastname' && property !== 'firstname') return false;
  const [part, known] = [wordsOf(value), wordsOf(textOf(record, other) ?? '')];
  return known.length > part.length && part.every((word) => known.includes(word));
}

/** Sorts the addresses, because HubSpot's order may change. */
function additionalKey(list: string): string {
  const addresses = list.split(';').map((text) => mailAddress(text)?.address ?? foldText(text));
  return [...new Set(addresses)].sort().join(';');
}
