import { isAboutPerson, type ObjectType } from '#shared/crm';
import { foldText } from './fold.ts';
import type { PersonName } from './person-names.ts';
import { domainLabel, registrableDomain } from './web-address.ts';

/** A canonical record of a person or a company. */
export type AnswerFacts = Readonly<Record<string, unknown>>;

/** Returns a trimmed text of the answer; `undefined` if the field has none. */
export function factOf(answer: AnswerFacts, field: string): string | undefined {
  const value = answer[field];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Returns the person's name: its parts, or the whole name split at the last space. */
export function nameInAnswer(answer: AnswerFacts): PersonName {
  const [first, last] = [factOf(answer, 'firstName'), factOf(answer, 'lastName')];
  if (first !== undefined || last !== undefined) return { first, last };
  const words = (factOf(answer, 'name') ?? '').split(/\s+/).filter((word) => word !== '');
  return words.length < 2
    ? { first: undefined, last: undefined }
    : { first: words.slice(0, -1).join(' '), last: words.at(-1) };
}

/**
 * Returns the values by which a person tells whom the answer is about, by HubSpot property. For a contact, the name and
 * the employer; for a company, the name and the domain.
 */
export function subjectOf(objectType: ObjectType, answer: AnswerFacts): Readonly<Record<string, string>> {
  const { first: firstname, last: lastname } = nameInAnswer(answer);
  const facts = isAboutPerson({ objectType })
    ? { firstname, lastname, company: factOf(answer, 'employerName') }
    : { name: factOf(answer, 'name'), domain: factOf(answer, 'domain') };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([property, value]) => (value === undefined ? [] : [[property, value]])),
  );
}

const EMPLOYER_FIELDS = ['employerDomain', 'employerWebsite'];

/** Returns the domains of the person's employer. */
export function employerDomains(answer: AnswerFacts): string[] {
  return EMPLOYER_FIELDS.flatMap((field) => domainIn(factOf(answer, field)));
}

/** Returns the domains of the answer's company. */
export function domainsInAnswer(answer: AnswerFacts): string[] {
  const domains: readonly unknown[] = Array.isArray(answer['domains']) ? answer['domains'] : [];
  return [answer['domain'], answer['website'], ...domains].flatMap(domainIn);
}

/** Whether the vendor identifies the employer, so that a new name or domain is not another employer. */
export function hasEmployerId(answer: AnswerFacts): boolean {
  return factOf(answer, 'employerId') !== undefined;
}

/**
 * Identifies the employer by the vendor's id. If it has none, by its domain or its name. Answers about the same employer
 * yield the same text.
 */
export function employerOf(answer: AnswerFacts): string | undefined {
  const id = factOf(answer, 'employerId');
  if (id !== undefined) return `id ${id}`;
  const [label] = EMPLOYER_FIELDS.flatMap((field) => domainLabel(factOf(answer, field) ?? '') ?? []);
  const name = factOf(answer, 'employerName');
  return label ?? (name === undefined ? undefined : foldText(name));
}

function domainIn(value: unknown): string[] {
  return typeof value === 'string' && registrableDomain(value) !== undefined ? [value] : [];
}
