import { type Argument, Command, Option } from 'commander';
import {
  assert,
  type Clock,
  commandText,
  type OperatorCommand,
  printable,
  SECOND_MS,
  type Wording,
  wording,
  wordingText,
} from '#shared/kernel';
import {
  type Connecting,
  type Connection,
  type InstallationOptions,
  installationLine,
  type ReadingConnection,
} from './connection/connection.ts';
import type { Connections } from './connection/connections.ts';
import { CliError, EXIT, type ExitCode } from './terminal/exit.ts';
import { nameRefusals } from './terminal/refusals.ts';
import { type OutputOptions, printSheet, type Sheet } from './terminal/sheet.ts';
import type { CliIo } from './terminal/terminal.ts';

export interface Cli {
  readonly io: CliIo;
  /** Sets the exit code, which is `EXIT.ok` without a call. */
  end(code: ExitCode): void;
  readonly connections: Connections;
}

/** Time after which the progress is shown. */
const SHOWN_AFTER_MS = 2 * SECOND_MS;
const CLEAR_LINE = '\r\u001b[2K';

interface Work {
  /** Absent while the total is unknown. */
  readonly total?: number | undefined;
  readonly noun: string;
}

/** `40 of 200 results, 20.0/s, 8 s left`; without a total `40 results, 20.0/s`. */
export function progressLine({
  done,
  total,
  noun,
  elapsedMs,
}: Work & { readonly done: number; readonly elapsedMs: number }): string {
  const perSecond = done / (elapsedMs / SECOND_MS);
  const rate = `${noun}, ${perSecond.toFixed(1)}/s`;
  if (total === undefined) return `${done} ${rate}`;
  const left = perSecond > 0 ? `, ${Math.ceil((total - done) / perSecond)} s left` : '';
  return `${done} of ${total} ${rate}${left}`;
}

/** Gives a running command access to the terminal and the installation. The command returns its result as a sheet. */
export interface CommandRun {
  /** Names the installation on standard error and opens its books until the sheet is printed. */
  connect(how?: Connecting): Promise<Connection>;
  /** Connects a command that only reads tables, and so needs no keys of a stack. */
  connectToRead(): Promise<ReadingConnection>;
  /**
   * Asks for consent before spending or a permanent change. With `--yes`, a person has agreed beforehand.
   * @param question one line that names the change, without a question mark
   * @throws CliError without consent, or without a terminal to ask for it
   */
  agree(question: Wording): Promise<void>;
  /** Asks a person for one line. Absent without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  say(line: Wording): void;
  /**
   * @returns a function to call before each part of the work. The function shows the progress, and throws after
   * Ctrl-C.
   */
  progress(work: Work): (done: number) => void;
  /**
   * Sets the command that continues this one after an interruption.
   * @param again `undefined` if nothing has begun
   */
  resumesWith(again: OperatorCommand | undefined, texts?: StopTexts): void;
  readonly clock: Clock;
  /** Opens a way to outside services for a command without an installation. */
  openTransport(): ReturnType<Connections['openTransport']>;
  readonly signal: AbortSignal | undefined;
  readonly stack: string | undefined;
  readonly env: CliIo['env'];
}

/** Texts about an interruption by Ctrl-C, SIGTERM or SIGHUP. */
export interface StopTexts {
  readonly stopped?: Wording;
  /** Shown at the first stop, if the command then cleans up. */
  readonly cleaning?: Wording;
  /** Shown at a second stop, which ends the process: what remains. */
  readonly remains?: Wording;
}

export type CommandOptions = OutputOptions & InstallationOptions & { readonly yes?: boolean };

/** A command whose result is a sheet. This class prints the sheet as text, JSON or CSV. */
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

  /** Returns the group of commands of this name, so that another file can add to it. */
  group(name: string): SheetCommand {
    const found = this.commands.find((each) => each.name() === name);
    assert(found instanceof SheetCommand, 'a group that was added before');
    return found;
  }

  override addOption(option: Option): this {
    nameRefusals(option, option.long ?? option.flags);
    return super.addOption(option);
  }

  override addArgument(argument: Argument): this {
    nameRefusals(argument, `<${argument.name()}>`);
    return super.addArgument(argument);
  }

  csv(): this {
    return this.addOption(new Option('--csv', 'print CSV with every field').conflicts('json'));
  }

  /** Adds `--yes`, which replaces the question for consent. */
  yes(about: string): this {
    return this.option('-y, --yes', about);
  }

  /**
   * Adds an example to the help. If `--stack` is given, the example names it.
   * @param words arguments after the command's name
   */
  example(words: string): this {
    this.#hasExample = true;
    return this.addHelpText('after', () => {
      const { stack } = this.optsWithGlobals<InstallationOptions>();
      const [typed = '', file] = `${pathOf(this)} ${words}`.trim().split(' > ');
      // An example with a policy file gets no stack, because a stack has its own policy.
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
    // An unreadable command line is answered with the arguments that the command takes.
    this.showHelpAfterError(`Usage: ${INVOCATION} ${pathOf(this)} ${this.usage()}`);
    return this.action(async () => {
      // commander stores an option that the parent command also has with the parent.
      const options = this.optsWithGlobals<Options>();
      const args = this.processedArgs as unknown as Args;
      await runCommand(this.#cli, options, (run) => make(run, options, ...args));
    });
  }
}

/** Start of a command line, from the sources or from an installed package. */
const INVOCATION = import.meta.url.endsWith('.ts') ? 'npm run -s cli --' : 'npx crm-enrichment';

function pathOf(command: Command): string {
  return command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Runs a command. Handles output, exit code, consent, progress, Ctrl-C and the end of the connection. */
async function runCommand(
  { io, end, connections }: Cli,
  options: CommandOptions,
  make: (run: CommandRun) => Promise<Sheet>,
): Promise<void> {
  const { stack } = options;
  const { signal } = io;
  let isProgressShown = false;
  const clearProgress = () => {
    if (isProgressShown) io.err(CLEAR_LINE);
    isProgressShown = false;
  };
  let connection: ReadingConnection | undefined;
  const opened = async <Opened extends ReadingConnection>(opening: Promise<Opened>): Promise<Opened> => {
    const made = await opening;
    connection = made;
    // The line goes to standard error, because standard output has only the result with --json or --csv.
    run.say(await installationLine(made));
    return made;
  };
  let resumption: Resumption | undefined;
  const run: CommandRun = {
    connect: (how) => opened(connections.open(options, io, how)),
    connectToRead: () => opened(connections.openToRead(options, io)),
    agree: async (question) => {
      if (options.yes) return;
      clearProgress();
      await agree(io, wordingText(question, stack));
    },
    ask:
      io.terminal &&
      (async (question) => {
        clearProgress();
        signal?.throwIfAborted();
        const typed = await io.terminal?.ask(question);
        // Neither a stop nor a closed terminal is an empty answer.
        signal?.throwIfAborted();
        if (typed !== undefined) return typed;
        throw new CliError('stopped', 'Stopped: the input ended before the answer.');
      }),
    say: (line) => {
      clearProgress();
      io.err(`${printable(wordingText(line, stack))}\n`);
    },
    progress: (work) => {
      const startedAt = io.clock.monotonic();
      return (done) => {
        signal?.throwIfAborted();
        const elapsedMs = io.clock.monotonic() - startedAt;
        if (!io.terminal || elapsedMs < SHOWN_AFTER_MS) return;
        isProgressShown = true;
        io.err(`${CLEAR_LINE}${progressLine({ ...work, done, elapsedMs })}`);
      };
    },
    resumesWith: (again, texts = {}) => {
      resumption = { ...texts, again };
      if (io.terminal && again) run.say(wording`Interrupted, this continues: ${again}`);
    },
    clock: io.clock,
    openTransport: () => connections.openTransport(io),
    signal,
    stack,
    env: io.env,
  };
  const sayStop = (text: 'cleaning' | 'remains') => {
    const line = resumption?.[text];
    if (line !== undefined) run.say(line);
  };
  // An open question ends its line first.
  signal?.addEventListener('abort', () => queueMicrotask(() => sayStop('cleaning')));
  io.atOnce?.addEventListener('abort', () => sayStop('remains'));
  try {
    const sheet = await make(run);
    clearProgress();
    await printSheet(io, sheet, options);
    await sheet.until?.();
    end(sheet.exit ?? EXIT.ok);
  } catch (error) {
    clearProgress();
    const isStopped = error instanceof CliError && error === signal?.reason;
    throw resumption && isStopped ? resumable(error, resumption) : error;
  } finally {
    resumption = undefined;
    await connection?.close();
  }
}

type Resumption = StopTexts & { readonly again: OperatorCommand | undefined };

function resumable(
  { wording: usual, exit, code }: CliError,
  { again, stopped = usual }: Resumption,
): CliError {
  return new CliError(code, again ? wording`${stopped} To continue: ${again}` : stopped, { exit });
}

async function agree({ terminal }: Cli['io'], question: string): Promise<void> {
  if (!terminal) {
    throw new CliError('not-asked', `${question}; there is no terminal to ask, so add --yes to agree.`);
  }
  const answer = await terminal.ask(`${question}. Continue? [y/N] `);
  if (/^y(?:es)?$/i.test(answer?.trim() ?? '')) return;
  throw new CliError('declined', 'Cancelled: nothing was looked up, spent or changed.');
}
