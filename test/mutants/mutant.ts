import { BREAKS, LAWS, type Law, UNSEEN } from './list/laws.ts';

/** A deliberate fault in one line of the product. It survives if no test checks the broken rule. */
export interface Mutant {
  /** The fault, as a unique name. */
  readonly name: string;
  readonly file: string;
  /** Text that occurs in the file exactly once. */
  readonly replace: string;
  readonly by: string;
  /** Test files of which one must fail. */
  readonly suites: readonly string[];
  /** The invariant that it breaks; absent if the fault is not visible from outside. */
  readonly law: Law | undefined;
}

/** Faults of one file, which the same tests detect. */
export interface Breakages extends Pick<Mutant, 'file' | 'suites'> {
  readonly breakages: readonly (readonly [name: string, replace: string, by: string])[];
}

export function mutantsOf(given: readonly Breakages[]): Mutant[] {
  return given.flatMap(({ file, suites, breakages }) =>
    breakages.map(([name, replace, by]) => ({ name, file, replace, by, suites, law: lawBrokenBy(name) })),
  );
}

/** Names of all mutants in the table of invariants and in the table of those that break none, with duplicates. */
export function namedForLaws(): string[] {
  return [...LAWS.flatMap((law) => BREAKS[law]), ...Object.keys(UNSEEN)];
}

function lawBrokenBy(name: string): Law | undefined {
  return LAWS.find((law) => BREAKS[law].includes(name));
}

/** The text with the fault; `undefined` if the replaced text does not occur exactly once. */
export function mutated(text: string, { replace, by }: Pick<Mutant, 'replace' | 'by'>): string | undefined {
  const [before, after, ...more] = text.split(replace);
  return before === undefined || after === undefined || more.length > 0 ? undefined : before + by + after;
}
