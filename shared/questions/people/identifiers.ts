import {
  cleanPersonName,
  isFreeMailDomain,
  mailAddress,
  profileUrl,
  registrableDomain,
  toE164,
} from '#shared/identity';
import type { Digest } from '#shared/kernel';
import type { Identifiers } from '#shared/vendor';
import { identityKey, LOOKUPS, type QuestionOperation } from '../question.ts';

/** Known identifiers of a person, not normalised. */
export interface PersonFacts {
  readonly emails?: readonly string[];
  readonly profileUrls?: readonly string[];
  readonly phones?: readonly string[];
  /** Names without a first or a last name are ignored. */
  readonly names?: readonly { readonly first: string; readonly last: string }[];
  /** Domains of the person's company. Domains of mail providers are ignored. */
  readonly domains?: readonly string[];
}

/**
 * Keyed hashes of a person's identifiers. Each hash is also the key of the question with this identifier. So earlier
 * questions are found without an index, and questions about forgotten people can be refused.
 */
export interface IdentifierKeys {
  /** From addresses and profiles, which belong to one person. */
  readonly sure: readonly string[];
  /** From phones and from names in a company. A phone may be a switchboard's, and two people may share a name. */
  readonly likely: readonly string[];
}

export const NO_IDENTIFIERS: IdentifierKeys = { sure: [], likely: [] };

export function identifierKeys(facts: PersonFacts, digest: Digest): IdentifierKeys {
  const keysOf = (identifiers: readonly Identifiers[]) =>
    identifiers.map((by) => identityKey('person', by, digest));
  const { emails = [], profileUrls = [], phones = [] } = facts;
  const addresses = emails.flatMap((email) => mailAddress(email)?.address ?? []);
  const byEmail = addresses.map((email) => ({ email }));
  const byProfile = profileUrls.map(profileUrl).flatMap((url) => (url ? [{ profileUrl: url }] : []));
  const byPhone = phones.map(numberOf).flatMap((phone) => (phone ? [{ phone }] : []));
  return {
    sure: unique(keysOf([...byEmail, ...byProfile])),
    likely: unique(keysOf([...byPhone, ...namedIn(facts, addresses)])),
  };
}

/** Whether a question identifies its person by an address or a profile, which belong to one person. */
export function namesPerson({ operation }: { readonly operation: QuestionOperation }): boolean {
  return LOOKUPS[operation].about === 'person' && LOOKUPS[operation].identifies;
}

/** All keys of a person, for lookups and for the suppression list. */
export function allKeys({ sure, likely }: IdentifierKeys): string[] {
  return [...sure, ...likely];
}

export function mergeKeys(...allDomains: readonly IdentifierKeys[]): IdentifierKeys {
  return {
    sure: unique(allDomains.flatMap(({ sure }) => sure)),
    likely: unique(allDomains.flatMap(({ likely }) => likely)),
  };
}

function numberOf(phone: string): string | undefined {
  const number = toE164(phone);
  return number?.includes('ext') ? undefined : number;
}

function namedIn({ names = [], domains = [] }: PersonFacts, addresses: readonly string[]) {
  const allDomains = [...domains, ...addresses.map((address) => address.slice(address.lastIndexOf('@') + 1))];
  const companies = allDomains.flatMap((domain) => registrableDomain(domain) ?? []);
  const companyDomains = unique(companies).filter((domain) => !isFreeMailDomain(domain));
  return companyDomains.flatMap((domain) =>
    names
      .map(({ first, last }) => ({ first: cleanPersonName(first).value, last: cleanPersonName(last).value }))
      .flatMap(({ first, last }) =>
        first === undefined || last === undefined ? [] : [{ domain, firstName: first, lastName: last }],
      ),
  );
}

function unique(keys: readonly string[]): string[] {
  return [...new Set(keys)];
}
