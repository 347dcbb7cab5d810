import { type Command, Help, type Option } from 'commander';
import { systemClock as clock } from '#shared/kernel/adapters';
import { ownConnections } from '../../../infra/cli/connection/connections.ts';
import { createProgram, run } from '../../../infra/cli/run.ts';
import { EXIT_MEANINGS } from '../../../infra/cli/terminal/exit.ts';
import type { CliIo } from '../../../infra/cli/terminal/terminal.ts';

export const COMMANDS_PAGE = 'docs/reference/commands.md';

const BEGINNING = `# Commands

In a clone, type \`npm run -s cli -- COMMAND\`. With the installed package, type \`npx crm-enrichment COMMAND\`. \`COMMAND --help\` explains the options and shows an example. \`npm run reference\` writes this page.

**The installation.** Each command works on one installation, and prints its name first:

- With \`--stack NAME\`, it works on a deployed stack.
- With real keys in \`.env\` and no \`--stack\`, it works on this machine. The ledger of this machine is separate from a stack's, so a command that spends credits says so and asks.
- Without keys, it works on the stand-ins. \`npm start\` may run at the same time.

**The output.** \`--json\` (all commands) and \`--csv\` (lists) print only the result to standard output. Messages go to standard error.

| exit code | means |
| - | - |
${Object.entries(EXIT_MEANINGS)
  .map(([code, meaning]) => `| ${code} | ${meaning} |`)
  .join('\n')}
`;

/** An option of so many commands is explained once, at the top. */
const COMMON_FROM = 8;
/** So many options of the same commands are listed once. */
const SHARED_FROM = 20;

const help = new Help();

/** Builds the command reference from the program's own definitions. */
export function commandsPage(): string {
  const groups = commandGroups();
  const uses = Map.groupBy(
    groups.flatMap(({ leaves }) => leaves.flatMap(({ command }) => optionsOf(command))),
    (option) => `- \`${help.optionTerm(option)}\`: ${help.optionDescription(option)}`,
  );
  const common = [...uses].filter(([, options]) => options.length >= COMMON_FROM);
  const explained = new Set(common.flatMap(([, options]) => options));
  const pages = groups.map(({ command, leaves }) => {
    const shared = sharedOptions(leaves, explained);
    const apart = new Set([...explained, ...[...shared.values()].flat()]);
    const lines = leaves.map((leaf) => lineOf(leaf, apart));
    const filters = [...shared].map(([names, options]) => `- ${names} also have:${listOf(options)}`);
    return `## ${command.name()}\n\n${[...lines, ...filters].join('\n')}\n`;
  });
  return `${BEGINNING}\nOptions of many commands:\n\n${common.map(([line]) => line).join('\n')}\n\n${pages.join('\n')}`;
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

/** The options of at least two commands of a group, by these commands, if there are many: the filters of a search. */
function sharedOptions(
  leaves: readonly Leaf[],
  explained: ReadonlySet<Option>,
): ReadonlyMap<string, readonly Option[]> {
  const all = leaves.flatMap(({ command, words }) =>
    optionsOf(command).map((option) => ({ option, name: `\`${words.join(' ')}\`` })),
  );
  const uses = Map.groupBy(
    all.filter(({ option }) => !explained.has(option)),
    ({ option }) => `${option.flags} ${option.description}`,
  );
  const users = Map.groupBy(uses.values(), (same) => same.map(({ name }) => name).join(' and '));
  const many = [...users].filter(([names, same]) => names.includes(' and ') && same.length >= SHARED_FROM);
  return new Map(many.map(([names, same]) => [names, same.flat().map(({ option }) => option)]));
}

/** A command with its arguments and options. */
function lineOf({ command, words }: Leaf, explained: ReadonlySet<Option>): string {
  const values = command.registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  const options = optionsOf(command).filter((option) => !explained.has(option));
  const list = options.length === 0 ? '' : ` Options:${listOf(options)}`;
  return `- \`${[...words, ...values].join(' ')}\`: ${command.description().replaceAll('<', '\\<')}.${list}`;
}

function listOf(options: readonly Option[]): string {
  const terms = new Set(options.map((option) => ` \`${help.optionTerm(option)}\``));
  return `${[...terms].join(',')}.`;
}

function optionsOf(command: Command): readonly Option[] {
  return help.visibleOptions(command).filter(({ long }) => long !== '--help');
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
