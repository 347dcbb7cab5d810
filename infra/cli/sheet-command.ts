import { Command, Option } from 'commander';
import { commandText, type OperatorCommand, type Wording, wording, wordingText } from '#shared/kernel';
import type { Cli, InstallationOptions } from './cli.ts';
import type { Connecting, Connection } from './connection/connection.ts';
import { installationLine } from './connection/installation-line.ts';
import type { CliIo } from './terminal/cli-io.ts';
import { CliError, EXIT } from './terminal/exit.ts';
import { createProgress, type Work } from './terminal/progress.ts';
import { type OutputOptions, printSheet, type Sheet } from './terminal/sheet.ts';

/** All that a command needs of the terminal while it runs. Its result goes into the sheet. */
export interface CommandRun {
  /** Names the installation on standard error and opens its books until the sheet is printed. */
  connect(how?: Connecting): Promise<Connection>;
  /**
   * Asks before something is spent or changed for good; `--yes` agrees beforehand.
   * @param question one line that says what, without a question mark
   * @throws CliError without consent, or without a terminal to ask for it
   */
  agree(question: Wording): Promise<void>;
  /** Has a person type a line; absent without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** A line for a person, at once, on standard error. */
  say(line: Wording): void;
  /** @returns to be called before each part of the work with what is done: shows it, and throws once Ctrl-C is pressed. */
  progress(work: Work): (done: number) => void;
  /** Says how to continue an interrupted command. @param stopped replaces the usual words about its end */
  resumesWith(again: OperatorCommand, stopped?: string): void;
  readonly signal: AbortSignal | undefined;
  readonly stack: string | undefined;
  readonly env: CliIo['env'];
}

export type CommandOptions = OutputOptions & InstallationOptions & { readonly yes?: boolean };

/** A command of the parser whose result is a sheet: text, JSON, CSV and all that surrounds them are written here. */
export class SheetCommand extends Command {
  readonly #cli: Cli;
  #hasExample = false;

  constructor(cli: Cli, name?: string) {
    super(name);
    this.#cli = cli;
  }

  override createCommand(name?: string): SheetCommand {
    return new SheetCommand(this.#cli, name);
  }

  csv(): this {
    return this.addOption(new Option('--csv', 'print CSV with every field').conflicts('json'));
  }

  /** It asks before it acts, unless this is given. */
  yes(about: string): this {
    return this.option('-y, --yes', about);
  }

  /** @param words what follows its name. Help shows it with the stack that it was asked for. */
  example(words: string): this {
    this.#hasExample = true;
    return this.addHelpText('after', () => {
      const { stack } = this.optsWithGlobals<InstallationOptions>();
      const [typed = '', file] = `${pathOf(this)} ${words}`.trim().split(' > ');
      // A stack has a policy of its own.
      const asked = / --(?:stack|policy) /.test(typed) ? typed : commandText(typed, stack);
      return `\nExample:\n  ${INVOCATION} ${asked}${file === undefined ? '' : ` > ${file}`}`;
    });
  }

  sheet<Args extends readonly unknown[], Options extends CommandOptions>(
    make: (run: CommandRun, options: Options, ...args: Args) => Promise<Sheet>,
  ): this {
    if (!this.options.some(({ long }) => long === '--json'))
      this.addOption(new Option('--json', 'print one JSON document').conflicts('csv'));
    if (!this.#hasExample) this.example('');
    return this.action(async () => {
      // Some options are also those of the parent, which then takes them.
      const options = this.optsWithGlobals<Options>();
      const args = this.processedArgs as unknown as Args;
      await runCommand(this.#cli, options, (run) => make(run, options, ...args));
    });
  }
}

/** How a command of ours is begun: from the sources, or as the compiled program of an installed package. */
const INVOCATION = import.meta.url.endsWith('.ts') ? 'npm run -s cli --' : 'npx crm-enrichment';

function pathOf(command: Command): string {
  return command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Output, exit code, consent, progress, Ctrl-C and the end of the connection, for all commands. */
async function runCommand(
  { io, end, open }: Cli,
  options: CommandOptions,
  make: (run: CommandRun) => Promise<Sheet>,
): Promise<void> {
  const { stack } = options;
  const { signal } = io;
  const progress = createProgress(io);
  let connection: Connection | undefined;
  let resumption: { readonly again: OperatorCommand; readonly stopped: string | undefined } | undefined;
  const run: CommandRun = {
    connect: async (how) => {
      connection = await open(options, how);
      // Not on standard output, which with --json or --csv holds nothing but the result.
      run.say(await installationLine(connection));
      return connection;
    },
    agree: async (question) => {
      if (options.yes) return;
      progress.end();
      await agree(io, wordingText(question, stack));
    },
    ask:
      io.terminal &&
      (async (question) => {
        progress.end();
        const typed = await io.terminal?.ask(question);
        // Ctrl-C is no empty answer.
        signal?.throwIfAborted();
        return typed ?? '';
      }),
    say: (line) => {
      progress.end();
      io.err(`${wordingText(line, stack)}\n`);
    },
    progress: (work) => {
      const show = progress.begin(work);
      return (done) => {
        signal?.throwIfAborted();
        show(done);
      };
    },
    resumesWith: (again, stopped) => {
      resumption = { again, stopped };
      if (io.terminal) run.say(wording`Interrupted, this continues: ${again}`);
    },
    signal,
    stack,
    env: io.env,
  };
  try {
    const sheet = await make(run);
    progress.end();
    await printSheet(io, sheet, options);
    end(sheet.exit ?? EXIT.ok);
  } catch (error) {
    progress.end();
    const isStopped = error instanceof CliError && error === signal?.reason;
    throw resumption && isStopped ? resumable(error, resumption) : error;
  } finally {
    await connection?.close();
  }
}

function resumable(
  { wording: usual, exit, code }: CliError,
  { again, stopped = usual }: { readonly again: OperatorCommand; readonly stopped?: Wording | undefined },
): CliError {
  return new CliError(wording`${stopped} To continue: ${again}`, { exit, code });
}

async function agree({ terminal }: Cli['io'], question: string): Promise<void> {
  if (!terminal) {
    throw new CliError(`${question}; there is no terminal to ask, so add --yes to agree.`, {
      exit: EXIT.usage,
      code: 'not-asked',
    });
  }
  const answer = await terminal.ask(`${question}. Continue? [y/N] `);
  if (/^y(?:es)?$/i.test(answer.trim())) return;
  throw new CliError('Cancelled: nothing was looked up, spent or changed.', {
    exit: EXIT.failed,
    code: 'declined',
  });
}
