import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { systemClock as clock } from '#shared/kernel/adapters';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { type Connections, ownConnections } from '../../../infra/cli/connection/connections.ts';
import { createProgram } from '../../../infra/cli/run.ts';
import type { Cli } from '../../../infra/cli/sheet-command.ts';
import { CliError } from '../../../infra/cli/terminal/exit.ts';
import { parsingError } from '../../../infra/cli/terminal/refusals.ts';

/** Stack name in every command of the runbook. */
export const PLACEHOLDER = 'NAME';

/** Each command as its words, without the program's name. */
export type Words = readonly string[];

export const RUNBOOK = join(PROJECT_ROOT, 'docs/operations/runbook.md');

export function writtenRunbook(): string {
  return readFileSync(RUNBOOK, 'utf8');
}

const TYPED = 'npm run -s cli -- ';

/**
 * Finds the program's commands in code blocks and code spans. In a block a command begins with `npm run`. A span counts
 * as a command if it begins with a command's name. So a command without its stack cannot hide in a sentence.
 */
export function commandsIn(markdown: string): readonly Words[] {
  return [...typedCommandsIn(markdown), ...mentionedCommandsIn(markdown)];
}

/** The commands that a reader may copy: lines of code blocks. */
export function typedCommandsIn(markdown: string): readonly Words[] {
  const lines = markdown.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line.startsWith(TYPED))
    .map((line) => wordsOf(line.slice(TYPED.length).replace(/ > \S+$/, '')));
}

/** The commands in code spans, which may lack an argument. */
export function mentionedCommandsIn(markdown: string): readonly Words[] {
  const names = createProgram(cliOf([])).commands.map((command) => command.name());
  const prose = markdown.replaceAll(/^ *```.*?^ *```/gms, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.replace(TYPED, ''));
  const inSpans = spans.filter((span) => names.includes(span.split(' ')[0] ?? '') || / --stack /.test(span));
  return inSpans.filter((span) => !span.startsWith('npm ') && !span.includes('=')).map(wordsOf);
}

/** The sub-commands and options of a mentioned command that the program does not have. */
export function unknownNamesIn(words: Words): readonly string[] {
  const program = createProgram(cliOf([]));
  let command: Command = program;
  const unknown: string[] = [];
  for (const word of words) {
    const below = command.commands.find((each) => each.name() === word);
    const options = [...command.options, ...program.options];
    if (below) command = below;
    else if (word.startsWith('--') && !options.some(({ long }) => long === word)) unknown.push(word);
    else if (
      command.commands.length > 0 &&
      command.registeredArguments.length === 0 &&
      !word.startsWith('--')
    )
      unknown.push(word);
  }
  return unknown;
}

/** Splits a line as a shell does, without variables. */
function wordsOf(line: string): Words {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/**
 * Parses a command with the program's own definition, up to its connection. Reads and writes nothing.
 * @returns why the program refuses it, by code; `undefined` if it would run
 */
export async function problemOf(
  words: Words,
  { needsStack }: { readonly needsStack: boolean },
): Promise<{ readonly code: string; readonly message: string } | undefined> {
  const stacks: string[] = [];
  try {
    await createProgram(cliOf(stacks)).parseAsync([...words], { from: 'user' });
    // Connects to no installation: without a token, the stand-in is used.
    if (words[0] === 'rehearse') return undefined;
    return { code: 'not-connected', message: 'It ended without a look at any installation.' };
  } catch (error) {
    if (error instanceof Connecting)
      return !needsStack || stacks.includes(PLACEHOLDER)
        ? undefined
        : { code: 'lacks-stack', message: `It lacks --stack ${PLACEHOLDER}.` };
    const refused = error instanceof CommanderError ? parsingError(error) : error;
    if (refused instanceof CliError) return refused;
    if (refused instanceof Error) return { code: 'other', message: refused.message };
    throw error;
  }
}

/** The scripts of package.json that a text names. */
export function scriptsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
}

/** Commands that only read. Every other command may write or spend, unless it is a dry run. */
const READS = new RegExp(
  `^(?:${[
    'doctor',
    'spend( charges)?',
    'budgets',
    'explain \\S+( \\w+)?',
    'doubts list',
    'ledger verify',
    'queue status',
    'runs verify',
    'backfill list',
    'review list',
    'backfill status \\w+',
  ].join('|')})(?= --|$)`,
);

export function onlyReads(words: Words): boolean {
  return words.includes('--dry-run') || READS.test(words.join(' '));
}

/** Thrown when a command has parsed all its words and would connect. */
class Connecting extends Error {}

function cliOf(stacks: string[]): Cli {
  const open: Connections['open'] = async ({ stack }) => {
    if (stack !== undefined) stacks.push(stack);
    throw new Connecting();
  };
  return {
    io: { clock, env: {}, out: () => undefined, err: () => undefined, colours: false },
    end: () => undefined,
    connections: { ...ownConnections, open, openToRead: open },
  };
}
