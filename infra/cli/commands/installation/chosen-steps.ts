import { command, type OperatorCommand } from '#shared/kernel';
import { CliError } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';

/** Collects the values of a repeated option. */
export function collect(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, text(given)];
}

/** Returns the command that runs the same steps. */
export function withSteps(words: string, wished: readonly string[] = []): OperatorCommand {
  return command([words, ...wished.map((name) => `--step ${name}`)].join(' '));
}

/** The steps that `--step` names, or all. @throws CliError if a step does not exist */
export function chosenSteps<Step extends { readonly name: string }>(
  steps: readonly Step[],
  wanted: readonly string[] | undefined,
): readonly Step[] {
  const names = steps.map(({ name }) => name);
  const unknown = wanted?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new CliError(`There is no step ${unknown}. The steps are: ${names.join(', ')}.`, {
      code: 'no-such-step',
      params: { steps: names },
    });
  return steps.filter(({ name }) => wanted?.includes(name) ?? true);
}
