import type { Command } from 'commander';
import { systemClock as clock } from '#shared/kernel/adapters';
import { ownConnections } from '../../../infra/cli/connection/connections.ts';
import { createProgram, run } from '../../../infra/cli/run.ts';
import type { CliIo } from '../../../infra/cli/terminal/terminal.ts';

export const COMMANDS_PAGE = 'docs/reference/commands.md';

const BEGINNING = `# Commands

In a clone, type \`npm run -s cli -- COMMAND\`. With the installed package, type \`npx crm-enrichment COMMAND\`. This page has the help text of each command. \`npm run reference\` writes it.

**The installation.** Each command works on one installation, and prints its name first:

- With \`--stack NAME\`, it works on a deployed stack.
- With real keys in \`.env\` and no \`--stack\`, it works on this machine. The ledger of this machine is separate from a stack's, so a command that spends credits says so and asks.
- Without keys, it works on the stand-ins. \`npm start\` may run at the same time.

**The output.** \`--json\` (all commands) and \`--csv\` (lists) print only the result to standard output. Messages go to standard error.

| exit code | means |
| - | - |
| 0 | done |
| 1 | failed |
| 2 | wrong argument or setting |
| 3 | refused by a budget, or retry later |
| 4 | not found, or nothing to do |
`;

/** Builds the command reference from the program's own help. */
export async function commandsPage(): Promise<string> {
  const program = createProgram({
    io: ioOf(() => undefined),
    end: () => undefined,
    connections: ownConnections,
  });
  const pages = await Promise.all(
    program.commands.map(async (command) => {
      const leaves = leavesOf(command, []);
      const helps = await Promise.all(
        leaves.map(
          async (words) => `${words.length > 1 ? `### ${words.join(' ')}\n\n` : ''}${await helpOf(words)}`,
        ),
      );
      return `## ${command.name()}\n\n${helps.join('\n')}`;
    }),
  );
  return `${BEGINNING}\n${pages.join('\n')}`;
}

function ioOf(out: CliIo['out']): CliIo {
  return { clock, env: {}, out, err: () => undefined, colours: false };
}

/** Commands that do something; the others only group them. */
function leavesOf(command: Command, above: readonly string[]): readonly (readonly string[])[] {
  const words = [...above, command.name()];
  const below = command.commands.flatMap((each) => leavesOf(each, words));
  return doesSomething(command) ? [words, ...below] : below;
}

function doesSomething(command: Command): boolean {
  return command.options.some(({ long }) => long === '--json');
}

async function helpOf(words: readonly string[]): Promise<string> {
  const lines: string[] = [];
  await run(
    [...words, '--help'],
    ioOf((text) => lines.push(text)),
  );
  const help = lines
    .join('')
    .replace(/\nGlobal Options:\n(?: .*\n)+/, '')
    .replace(/^ +-h, --help .*\n/m, '');
  return `\`\`\`text\n${help.trim()}\n\`\`\`\n`;
}
