import { isAboutPerson, type ObjectType } from '#shared/crm';
import { LOOKUPS, type Question } from '#shared/questions';
import { COMPANY_FIELDS, FIELD_OF_OPTION, PERSON_FIELDS, type QuestionOption } from '#shared/vendor';
import { type FieldRule, keysOfPath } from './field-rule.ts';

/** Returns all keys of canonical records about records of the type. */
export function recordKeys(objectType: ObjectType): readonly string[] {
  return isAboutPerson({ objectType }) ? PERSON_FIELDS : COMPANY_FIELDS;
}

/** Options of a company profile. */
export const COMPANY_OPTIONS = ['funding', 'technology', 'contacts'] as const;

/** The first key of the path from which a rule takes its value. */
export function answerKeyOf({ from }: Pick<FieldRule, 'from'>): string {
  return keysOfPath(from)[0] ?? '';
}

/** Whether an answer to the question can hold the key. */
export function canFill({ operation, options }: Question, key: string): boolean {
  const { yields, search } = LOOKUPS[operation];
  if (key === 'raw') return search === undefined;
  return yields.includes(key) || options.some((option) => adds(option, new Set([key])));
}

/** Whether an option adds any of the keys. */
export function adds(option: QuestionOption, keys: ReadonlySet<string>): boolean {
  return keys.has(FIELD_OF_OPTION[option]);
}
