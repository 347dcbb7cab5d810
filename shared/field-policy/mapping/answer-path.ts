import type { AnswerPath } from '../field-rule.ts';

/** The value at a path of an answer; `undefined` where any step of the path is absent. */
export function valueAt(answer: unknown, path: AnswerPath): unknown {
  const keys = typeof path === 'string' ? path.split('/') : path;
  return keys.reduce<unknown>(step, answer);
}

/** A text of the answer, trimmed; `undefined` where there is none. */
export function textAt(answer: unknown, path: AnswerPath): string | undefined {
  const value = valueAt(answer, path);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

// Own keys only, so that a path such as "constructor" finds nothing.
function step(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
