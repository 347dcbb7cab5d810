import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { createProgram } from '../../infra/cli/program.ts';
import { RUNBOOK, TABLE_HEADING } from '../alarms/table.ts';

/** Stands for the stack in every command of the runbook. */
export const PLACEHOLDER = 'NAME';

/** Each command as its words, without the program's name. */
export type Words = readonly string[];

/** The part that people have written: the table after it is generated. */
export function writtenRunbook(): string {
  const [written = ''] = readFileSync(RUNBOOK, 'utf8').split(TABLE_HEADING);
  return written;
}

const TYPED = 'npm run -s cli -- ';

/**
 * Finds the program's commands in code blocks and code spans. In a block a command begins with `npm run`. A span is a
 * command, too, when it begins with the name of one, so that a command without its stack cannot hide in a sentence.
 */
export function commandsIn(markdown: string): readonly Words[] {
  const names = createProgram(cliOf([])).commands.map((command) => command.name());
  const lines = markdown.split('\n').map((line) => line.trim());
  const typed = lines.filter((line) => line.startsWith(TYPED)).map((line) => line.slice(TYPED.length));
  const prose = markdown.replaceAll(/^ *```.*?^ *```/gms, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.replace(TYPED, ''));
  const inSpans = spans.filter((span) => names.includes(span.split(' ')[0] ?? '') || / --stack /.test(span));
  return [...typed, ...inSpans.filter((span) => !span.startsWith('npm ') && !span.includes('='))].map(
    wordsOf,
  );
}

/** As a shell divides a line without variables. */
function wordsOf(line: string): Words {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/**
 * Parses a command with the program's own definition, up to the moment at which it would connect: nothing is read or
 * written.
 * @returns why the program refuses it; nothing where it would run on the stack
 */
export async function problemOf(words: Words): Promise<string | undefined> {
  const stacks: string[] = [];
  try {
    await createProgram(cliOf(stacks)).parseAsync([...words], { from: 'user' });
    return 'It ended without a look at any installation.';
  } catch (error) {
    if (error instanceof Connecting)
      return stacks.includes(PLACEHOLDER) ? undefined : `It lacks --stack ${PLACEHOLDER}.`;
    if (error instanceof CommanderError || error instanceof Error) return error.message;
    throw error;
  }
}

/** These only look. Every other command may write or spend, unless it is a dry run. */
const READS = new RegExp(
  `^(?:${[
    'doctor',
    'check-key',
    'spend( charges)?',
    'budgets',
    'explain \\S+( \\w+)?',
    'doubts list',
    'ledger verify',
    'queue status',
    'runs verify',
    'backfill list',
    'backfill status \\w+',
  ].join('|')})(?= --)`,
);

export function onlyReads(words: Words): boolean {
  return words.includes('--dry-run') || READS.test(words.join(' '));
}

/** A command has parsed all of its words and would connect now. */
class Connecting extends Error {}

function cliOf(stacks: string[]): Parameters<typeof createProgram>[0] {
  return {
    io: { env: {}, out: () => undefined, err: () => undefined, colours: false },
    end: () => undefined,
    open: async ({ stack }) => {
      if (stack !== undefined) stacks.push(stack);
      throw new Connecting();
    },
  };
}
