import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { ownConnections } from '../../../../infra/cli/connection/connections.ts';
import { createProgram } from '../../../../infra/cli/program.ts';
import { HELP } from '../../../../infra/local/settings.ts';
import about from '../../../../package.json' with { type: 'json' };
import { runCommand } from './console.ts';

/** Every command with its words, in the order of the list. */
function commandsIn(command: Command, words: readonly string[] = []): (readonly string[])[] {
  return [words, ...command.commands.flatMap((each) => commandsIn(each, [...words, each.name()]))];
}

const io = { clock: systemClock, env: {}, out: () => undefined, err: () => undefined, colours: false };
const COMMANDS = commandsIn(createProgram({ io, end: () => undefined, connections: ownConnections }));

it.each(COMMANDS.map((words) => [words.join(' '), words] as const))(
  'help of "%s" fits into 80 columns',
  async (_, words) => {
    const { code, out } = await runCommand([...words, '--help'], { env: {} });
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

it('help of npm start does too', () => {
  expect(HELP.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

it('the version is that of the package', async () => {
  expect((await runCommand(['--version'], { env: {} })).out).toBe(`${about.version}\n`);
});
