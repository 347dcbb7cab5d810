import { command, type OperatorCommand } from '#shared/kernel';
import { usageError } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';

/** For an option that may be repeated. */
export function collect(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, text(given)];
}

/** A command that plays the same steps. */
export function withSteps(words: string, wished: readonly string[] = []): OperatorCommand {
  return command([words, ...wished.map((name) => `--step ${name}`)].join(' '));
}

/** Those of `--step`, and those that all others need. @throws CliError where there is no such step */
export function chosenSteps<Step extends { readonly name: string; readonly isBasis?: true }>(
  steps: readonly Step[],
  wished: readonly string[] | undefined,
): readonly Step[] {
  const names = steps.map(({ name }) => name);
  const unknown = wished?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw usageError(`There is no step ${unknown}. The steps are: ${names.join(', ')}.`);
  return steps.filter(({ name, isBasis }) => isBasis || (wished?.includes(name) ?? true));
}
