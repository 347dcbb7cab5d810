import { ENTRY_KINDS } from '#inside/credit-ledger/schemas.ts';
import { PURPOSES } from '#shared/crm';

export type Path = readonly (string | number)[];

/** The places of all texts and numbers in a value. */
export function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

export function damaged(value: unknown, path: Path, change: number): unknown {
  const [name, ...rest] = path;
  if (name !== undefined) {
    const copy = structuredClone(value) as Record<string, unknown>;
    copy[name] = damaged(copy[name], rest, change);
    return copy;
  }
  if (typeof value === 'number') return value + change;
  const words = [ENTRY_KINDS, PURPOSES].find((some: readonly unknown[]) => some.includes(value));
  return words ? otherOf(words, value, change) : `${value}${change}`;
}

/** One of the others, so that the parser does not find the damage before the books can. */
function otherOf(words: readonly string[], value: unknown, change: number): string | undefined {
  return words.filter((word) => word !== value).at(change % (words.length - 1));
}
