import { readFileSync } from 'node:fs';
import { type Command, CommanderError, type Option } from 'commander';
import { systemClock as clock } from '#shared/kernel/adapters';
import { ownConnections } from '../../infra/cli/connection/connections.ts';
import { createProgram } from '../../infra/cli/run.ts';
import { EXIT } from '../../infra/cli/terminal/exit.ts';
import { CHECK_TEXTS } from '../../infra/doctor/texts.ts';
import type { ExercisedRun } from '../harness/exercised.ts';

/**
 * Commands, options and results of checks that no test has exercised.
 * @param file the runs of all tests. A run whose arguments are refused exercises nothing.
 */
export async function notExercised(file: string): Promise<readonly string[]> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const runs = lines
    .map((line) => JSON.parse(line) as ExercisedRun)
    .filter(({ code }) => code !== EXIT.usage);
  const typed = new Set((await Promise.all(runs.map(({ argv }) => typedIn(argv)))).flat());
  const shown = new Set(runs.flatMap(({ checks }) => checks));
  return [
    ...commandsOf(createTable())
      .flatMap((command) => namesOf(command))
      .filter((name) => !typed.has(name)),
    ...Object.keys(CHECK_TEXTS)
      .filter((code) => !shown.has(code))
      .map((code) => `doctor: ${code}`),
  ];
}

function createTable(): Command {
  const io = { clock, env: {}, out: () => undefined, err: () => undefined, colours: false };
  return createProgram({ io, end: () => undefined, connections: ownConnections });
}

/** The program, whose options each command has, and all commands that do something. */
function commandsOf(command: Command): readonly Command[] {
  const doesSomething = !command.parent || command.options.some(({ long }) => long === '--json');
  return [...(doesSomething ? [command] : []), ...command.commands.flatMap(commandsOf)];
}

/** The command, and the command with each of its options. */
function namesOf(command: Command, isTyped: (option: Option) => boolean = () => true): readonly string[] {
  const path = pathOf(command);
  const options = command.options.filter((option) => option.long !== '--version' && isTyped(option));
  return [path, ...options.map(({ long }) => `${path} ${long}`)];
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : '...';
}

/** What a command line names, as the program reads it. Without the program's actions, nothing runs. */
async function typedIn(argv: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  const [program, ...commands] = commandsOf(createTable());
  for (const command of commands)
    command.action(() => {
      for (const each of [program, command])
        if (each)
          names.push(
            ...namesOf(
              each,
              (option) => each.getOptionValueSourceWithGlobals(option.attributeName()) === 'cli',
            ),
          );
    });
  await program?.parseAsync([...argv], { from: 'user' }).catch((error: unknown) => {
    // The help and the version end the reading.
    if (!(error instanceof CommanderError)) throw error;
  });
  return names;
}
