import type { ObjectType } from '#shared/crm';
import { LOOKUPS, lookupsOf, type Question } from '#shared/questions';
import { FIELD_OF_OPTION, type QuestionOption } from '#shared/vendor';
import { type FieldRule, keysOfPath } from './field-rule.ts';

/** Key of an answer's rest, by the vendor's names. */
const RAW = 'raw';

/** All keys of canonical records, by object type. */
export const RECORD_KEYS: Readonly<Record<ObjectType, readonly string[]>> = {
  contacts: keysOf('person'),
  companies: keysOf('company'),
};

function keysOf(about: 'person' | 'company'): string[] {
  const keys = lookupsOf(about).flatMap((name) => {
    const { yields, options } = LOOKUPS[name];
    return [...yields, ...Object.keys(options).map((option) => FIELD_OF_OPTION[option as QuestionOption])];
  });
  return [...new Set([...keys, RAW])];
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
  if (key === RAW) return search === undefined;
  return yields.includes(key) || options.some((option) => adds(option, new Set([key])));
}

/** Whether an option adds any of the keys. */
export function adds(option: QuestionOption, keys: ReadonlySet<string>): boolean {
  return keys.has(FIELD_OF_OPTION[option]);
}
