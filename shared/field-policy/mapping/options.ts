import type { DefinedOption } from '#shared/crm/property-definition.ts';
import { wordsOf } from '#shared/identity/fold.ts';
import { industryOption } from './industry-options.ts';
import { seniorityOption } from './seniority-options.ts';

/**
 * The internal value of the option that a text means: its value, its label, its value read as words, or what the
 * tables of industries and seniorities say. `undefined` when the portal has no such option.
 */
export function matchOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const options = defined.filter(({ hidden }) => hidden !== true);
  const words = wordsOf(text).join(' ');
  const wanted = [industryOption(text), seniorityOption(text)];
  const match =
    options.find(({ value }) => value === text) ??
    options.find(({ label }) => wordsOf(label).join(' ') === words && words !== '') ??
    options.find(({ value }) => wordsOf(value).join(' ') === words && words !== '') ??
    options.find(({ value }) => wanted.includes(value));
  return match?.value;
}
