import { createInterface } from 'node:readline';
import type { CliIo } from './cli-io.ts';
import { CliError, EXIT } from './exit.ts';

/** Opens this process's terminal or pipes. The first Ctrl-C ends waits. The second ends the process. */
export function processIo(): CliIo {
  const { stdin, stdout, stderr, env } = process;
  const stopped = new AbortController();
  const stop = () => {
    const message = 'Stopped. Sent requests are booked; no other request was sent.';
    stopped.abort(new CliError(message, { exit: EXIT.failed, code: 'stopped' }));
  };
  process.once('SIGINT', stop);
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  return {
    env,
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    terminal: isTerminal ? { ask: (question) => ask(question, stop) } : undefined,
    width: stdout.isTTY === true ? stdout.columns || undefined : undefined,
    colours: stdout.isTTY === true && stdout.hasColors(),
    signal: stopped.signal,
  };
}

/** Asks on standard error, so that results can go to a file. The end of input means no. */
function ask(question: string, stop: () => void): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  let answered = false;
  return new Promise((resolve) => {
    lines.once('SIGINT', () => {
      stop();
      lines.close();
    });
    lines.once('close', () => {
      if (!answered) process.stderr.write('\n');
      resolve('');
    });
    lines.question(question, (answer) => {
      answered = true;
      resolve(answer);
      lines.close();
    });
  });
}
