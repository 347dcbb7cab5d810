import type { DefinedOption } from '#shared/crm/property-definition.ts';
import { wordsOf } from '#shared/identity/fold.ts';
import { industryOption } from './industry-options.ts';
import { seniorityOption } from './seniority-options.ts';
import { technologyKeys } from './technology-options.ts';

/**
 * The internal value of the option that a text means: its value, its label, its value read as words, or what the
 * tables of industries, seniorities and technologies say. `undefined` when the portal has no such option.
 */
export function matchOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const options = defined.filter(isOffered);
  const words = wordsOf(text).join(' ');
  const wanted = [industryOption(text), seniorityOption(text)];
  const tools = technologyKeys(text);
  const match =
    options.find(({ value }) => value === text) ??
    options.find(({ label }) => wordsOf(label).join(' ') === words && words !== '') ??
    options.find(({ value }) => wordsOf(value).join(' ') === words && words !== '') ??
    options.find(({ value }) => wanted.includes(value)) ??
    options.find(({ label, value }) =>
      [label, value].some((name) => words !== '' && tools.includes(wordsOf(name).join(''))),
    );
  return match?.value;
}

/** Of an option's words and the text's, the share that has to be the same. */
const ALIKE = 0.5;

/** The label of the option whose words are most like the text's, for a person to judge; never written. */
export function nearestOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const words = new Set(wordsOf(text).map(stemOf));
  const [nearest] = defined
    .filter(isOffered)
    .map(({ label, value }) => ({ label: label || value, likeness: likeness(words, label || value) }))
    .filter((one) => one.likeness >= ALIKE)
    .sort((a, b) => b.likeness - a.likeness);
  return nearest?.label;
}

function isOffered({ hidden }: DefinedOption): boolean {
  return hidden !== true;
}

/** Twice the words in common by all words: 1 for the same words, 0 for none. */
function likeness(words: ReadonlySet<string>, label: string): number {
  const others = new Set(wordsOf(label).map(stemOf));
  return (2 * words.intersection(others).size) / Math.max(1, words.size + others.size);
}

/** `manufacturing`, `manufacture` and `manufacturers` begin alike. */
function stemOf(word: string): string {
  return word.slice(0, 7);
}
