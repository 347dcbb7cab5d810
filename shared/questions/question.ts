import { foldText } from '#shared/identity/fold.ts';
import type { Digest } from '#shared/kernel/digest.ts';

/** The paid operations: five about one record, three that list, and one that asks about many companies at once. */
export const QUESTION_OPERATIONS = [
  'personProfile',
  'reverseEmail',
  'lookUpPerson',
  'reversePhone',
  'companyProfile',
  'searchPeople',
  'searchCompanies',
  'searchEmployees',
  'companiesByDomain',
] as const;
export type QuestionOperation = (typeof QUESTION_OPERATIONS)[number];

export const QUESTION_OPTIONS = ['email', 'phone', 'funding', 'technology', 'contacts'] as const;
export type QuestionOption = (typeof QUESTION_OPTIONS)[number];

/** What is asked of the data service, in normal form: equal questions have equal texts. */
export interface Question {
  readonly operation: QuestionOperation;
  /**
   * Parameters by the data service's names, in normal form but for the case and accents of names; no options.
   * A search has one, `request`: the whole of its parameters as JSON, options and page included. A batch has `batch`,
   * its id, `domains`, joined by commas, and `page`, how many results it takes at most; with `months` it looks only for
   * those that had a funding round in so many.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** What the answer is to include beyond the base record; each costs. */
  readonly options: readonly QuestionOption[];
}

/**
 * The key of the one item that a question has, whatever options are asked for: an HMAC under the installation
 * secret, so that neither ledger nor logs can be read back to a person.
 */
export function questionKey({ operation, parameters }: Question, digest: Digest): string {
  // The list of a batch is fixed only as it is sent: its id alone tells it from others.
  const isNaming = (name: string) => operation !== 'companiesByDomain' || name === 'batch';
  const named = Object.entries(parameters)
    .filter(([name]) => isNaming(name))
    .map(([name, value]) => [name, name === 'request' ? value : foldText(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return digest.keyed(JSON.stringify(['question', operation, named]));
}

/** Whether an answer to `answered` options also answers a question with `wanted` ones. */
export function covers(answered: readonly QuestionOption[], wanted: readonly QuestionOption[]): boolean {
  return wanted.every((option) => answered.includes(option));
}

/** The key of what is held about the company of a domain, whatever way it was asked about. */
export function companyKey(domain: string, digest: Digest): string {
  return questionKey({ operation: 'companyProfile', parameters: { domain }, options: [] }, digest);
}

/** Whom a batch asks about. */
export function domainsOf({ domains = '' }: Question['parameters']): string[] {
  return domains === '' ? [] : domains.split(',');
}
