import { UNUSABLE } from '#shared/vendor';
import { type AnswerPath, type FieldRule, keysOfPath } from '../field-rule.ts';

/**
 * Finds paths of an answer, such as `funding/investors`, whose values no rule uses. These values are paid for, but not
 * written. A rule with `never` counts as a use. A list is one value.
 */
export function leftoversOf(
  answer: Readonly<Record<string, unknown>>,
  rules: readonly FieldRule[],
): string[] {
  const usedPaths = rules.flatMap(pathsOf).map(nameOf);
  const { [UNUSABLE]: _, ...values } = answer;
  return leavesOf(values, []).filter(
    (path) => !usedPaths.some((one) => path === one || path.startsWith(`${one}/`)),
  );
}

/** Paths of all values in an answer. */
function leavesOf(value: unknown, path: readonly string[]): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) return [nameOf(path)];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function pathsOf({ from, currency }: FieldRule): AnswerPath[] {
  return [from, ...(currency && 'from' in currency ? [currency.from] : [])];
}

function nameOf(path: AnswerPath): string {
  return keysOfPath(path).join('/');
}
