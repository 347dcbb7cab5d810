import { BREAKS, LAWS, type Law, UNSEEN } from './list/laws.ts';

/** One line of the product, broken on purpose: a law that no test holds any more would let it pass. */
export interface Mutant {
  /** What is broken; no two have the same. */
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly replace: string;
  readonly by: string;
  /** Test files of which one must fail. */
  readonly suites: readonly string[];
  /** Which promise is broken by it; absent where none is that an outsider could see. */
  readonly law: Law | undefined;
}

/** Breakages of one file, held by the same tests. */
export interface Breakages extends Pick<Mutant, 'file' | 'suites'> {
  readonly breakages: readonly (readonly [name: string, replace: string, by: string])[];
}

export function mutantsOf(given: readonly Breakages[]): Mutant[] {
  return given.flatMap(({ file, suites, breakages }) =>
    breakages.map(([name, replace, by]) => ({ name, file, replace, by, suites, law: lawBrokenBy(name) })),
  );
}

/** Every mutant that is named for a law or for breaking none, as often as it is. */
export function namedForLaws(): string[] {
  return [...LAWS.flatMap((law) => BREAKS[law]), ...Object.keys(UNSEEN)];
}

function lawBrokenBy(name: string): Law | undefined {
  return LAWS.find((law) => BREAKS[law].includes(name));
}

/** The text with the mutant in it; `undefined` where what it replaces is not there exactly once. */
export function mutated(text: string, { replace, by }: Pick<Mutant, 'replace' | 'by'>): string | undefined {
  const [before, after, ...more] = text.split(replace);
  return before === undefined || after === undefined || more.length > 0 ? undefined : before + by + after;
}
