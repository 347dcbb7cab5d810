import { type Argument, type Command, Help } from 'commander';
import { systemClock as clock } from '#shared/kernel/adapters';
import { ownConnections } from '../../../infra/cli/connection/connections.ts';
import { createProgram, run } from '../../../infra/cli/run.ts';
import type { CliIo } from '../../../infra/cli/terminal/terminal.ts';

export const COMMANDS_PAGE = 'docs/reference/commands.md';

const BEGINNING = `# Commands

In a clone, type \`npm run -s cli -- COMMAND\`. With the installed package, type \`npx crm-enrichment COMMAND\`. \`COMMAND --help\` shows the same text. \`npm run reference\` writes this page.

**The installation.** Each command works on one installation, and prints its name first:

- With \`--stack NAME\`, it works on a deployed stack.
- With real keys in \`.env\` and no \`--stack\`, it works on this machine. The ledger of this machine is separate from a stack's, so a command that spends credits says so and asks.
- Without keys, it works on the stand-ins. \`npm start\` may run at the same time.

**The output.** \`--json\` (all commands) and \`--csv\` (lists) print only the result to standard output. Messages go to standard error.

| exit code | means |
| - | - |
| 0 | done |
| 1 | failed, or an assumption differs |
| 2 | wrong argument or setting |
| 3 | refused by a budget, or retry later |
| 4 | not found, or nothing to do |
`;

/** An option of so many commands is described once, at the top. */
const COMMON_FROM = 8;

const help = new Help();

/** Builds the command reference from the program's own definitions. */
export async function commandsPage(): Promise<string> {
  const groups = commandGroups();
  const uses = Map.groupBy(
    groups.flatMap(({ leaves }) => leaves.flatMap(({ command }) => optionLines(command))),
    (line) => line,
  );
  const common = [...uses].filter(([, all]) => all.length >= COMMON_FROM).map(([line]) => line);
  const pages = await Promise.all(
    groups.map(async ({ command, leaves }) => {
      const text = `## ${command.name()}\n\n${textOf(leaves, new Set(common))}`;
      const examples = await Promise.all(leaves.map(examplesOf));
      const lines = examples.flat().map((line) => line.replace(/^.* -- /, ''));
      return lines.length === 0 ? text : `${text}\n${['```text', ...lines, '```', ''].join('\n')}`;
    }),
  );
  return `${BEGINNING}\n**Options of many commands:**\n\n${common.join('\n')}\n\n${pages.join('\n')}`;
}

/** The examples of all commands that take more than their name, as they are typed. */
export async function commandExamples(): Promise<readonly string[]> {
  const leaves = commandGroups().flatMap((group) => group.leaves);
  return (await Promise.all(leaves.map(examplesOf))).flat();
}

function commandGroups() {
  const program = createProgram({
    io: ioOf(() => undefined),
    end: () => undefined,
    connections: ownConnections,
  });
  return program.commands.map((command) => ({ command, leaves: leavesOf(command, []) }));
}

interface Leaf {
  readonly command: Command;
  readonly words: readonly string[];
}

function ioOf(out: CliIo['out']): CliIo {
  return { clock, env: {}, out, err: () => undefined, colours: false };
}

/** Commands that do something; the others only group them. */
function leavesOf(command: Command, above: readonly string[]): readonly Leaf[] {
  const words = [...above, command.name()];
  const below = command.commands.flatMap((each) => leavesOf(each, words));
  return doesSomething(command) ? [{ command, words }, ...below] : below;
}

function doesSomething(command: Command): boolean {
  return command.options.some(({ long }) => long === '--json');
}

/** The commands of a group, each with its own options, then the options that several of them share. */
function textOf(leaves: readonly Leaf[], common: ReadonlySet<string>): string {
  const holders = Map.groupBy(
    leaves.flatMap(({ command, words }) =>
      optionLines(command)
        .filter((line) => !common.has(line))
        .map((line) => ({ line, words: words.join(' ') })),
    ),
    ({ line }) => line,
  );
  const shared = Map.groupBy(
    [...holders].filter(([, all]) => all.length > 1),
    ([, all]) => all.map(({ words }) => `\`${words}\``).join(', '),
  );
  const own = leaves.map(({ command, words }) => {
    const lines = optionLines(command).filter((line) => holders.get(line)?.length === 1);
    const name = [...words, ...command.registeredArguments.map(humanArgument)].join(' ');
    const values = help
      .visibleArguments(command)
      .map((each) => ` ${each.name()}: ${help.argumentDescription(each)}.`);
    const about = `- \`${name}\`: ${command.description().replaceAll('<', '\\<')}.${values.join('')}`;
    return [about, ...lines.map((line) => `  ${line}`)].join('\n');
  });
  const others = [...shared].map(([names, options]) =>
    [`\nOptions of ${names}:\n`, ...options.map(([line]) => line)].join('\n'),
  );
  return `${[...own, ...others].join('\n')}\n`;
}

function humanArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** A line for each option, and one for all filters of a search. */
function optionLines(command: Command): readonly string[] {
  const shown = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const { filters = [], others = [] } = Object.groupBy(shown, ({ helpGroupHeading }) =>
    helpGroupHeading === 'Filters:' ? 'filters' : 'others',
  );
  const names = filters.map((option) => `\`${help.optionTerm(option)}\``);
  return [
    ...(names.length === 0 ? [] : [`- filters, which \`--help\` explains: ${names.join(', ')}`]),
    ...others.map((option) => `- \`${help.optionTerm(option)}\`: ${help.optionDescription(option)}`),
  ];
}

/** The examples at the end of a command's help that say more than its name. */
async function examplesOf({ words }: Leaf): Promise<readonly string[]> {
  const lines: string[] = [];
  await run(
    [...words, '--help'],
    ioOf((text) => lines.push(text)),
  );
  const examples = [...lines.join('').matchAll(/^Example:\n +(.+)$/gm)].map(([, example = '']) => example);
  return examples.filter((example) => !example.endsWith(` -- ${words.join(' ')}`));
}
