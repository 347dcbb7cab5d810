import { addAbortListener } from 'node:events';
import { createInterface } from 'node:readline';
import type { Clock } from '#shared/kernel';
import { systemClock as clock } from '#shared/kernel/adapters';
import { CliError } from './exit.ts';

export interface CliIo {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a result to standard output, where scripts read it. */
  out(text: string): unknown;
  /** Prints a message for a person, such as a price, progress or an error. */
  err(text: string): unknown;
  /** Absent if no person can answer. */
  readonly terminal?: Terminal | undefined;
  /** Width of the terminal in columns. Absent for a file or pipe, where rows are not cut. */
  readonly width?: number | undefined;
  /** Whether results may use colours. */
  readonly colours: boolean;
  /** Ends waits. The signal's reason is the error to report. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted by a second stop, just before it ends the process. A listener cannot wait. */
  readonly atOnce?: AbortSignal | undefined;
}

interface Terminal {
  /** Shows the question. @returns the line that was typed; `undefined` if the input ended, or a stop came */
  ask(question: string): Promise<string | undefined>;
}

const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Opens this process's terminal or pipes. The first stop ends waits. The second ends the process. */
export function processIo(): CliIo {
  const { stdin, stdout, stderr, env } = process;
  const [stopped, atOnce] = [new AbortController(), new AbortController()];
  const stop = (signal: NodeJS.Signals) => {
    const message = 'Stopped. Sent requests are booked; no other request was sent.';
    if (!stopped.signal.aborted) return stopped.abort(new CliError('stopped', message));
    atOnce.abort();
    for (const each of STOPS) process.off(each, stop);
    process.kill(process.pid, signal);
  };
  for (const signal of STOPS) process.on(signal, stop);
  for (const stream of [stdin, stderr]) stream.on('error', unlessClosed);
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  return {
    clock,
    env,
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    terminal: isTerminal
      ? { ask: (question) => ask(question, { stop, stopped: stopped.signal }) }
      : undefined,
    width: stdout.isTTY === true ? stdout.columns || undefined : undefined,
    colours: stdout.isTTY === true && stdout.hasColors(),
    signal: stopped.signal,
    atOnce: atOnce.signal,
  };
}

/** Accepts the errors of a closed terminal. The command can still clean up, although no person reads its messages. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO' && error.code !== 'EPIPE') throw error;
}

/** Asks on standard error, so that results can go to a file. */
function ask(
  question: string,
  { stop, stopped }: { stop: (signal: NodeJS.Signals) => void; stopped: AbortSignal },
): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  let answered = false;
  return new Promise((resolve) => {
    lines.on('error', unlessClosed);
    lines.once('SIGINT', () => stop('SIGINT'));
    const listening = addAbortListener(stopped, () => lines.close());
    lines.once('close', () => {
      listening[Symbol.dispose]();
      if (!answered) process.stderr.write('\n');
      resolve(undefined);
    });
    lines.question(question, (answer) => {
      answered = true;
      resolve(answer);
      lines.close();
    });
  });
}
