import { createInterface } from 'node:readline/promises';

/** Shows a question and resolves with the typed line. */
export type Ask = (question: string) => Promise<string>;

/** Shows the question and reads one line from a terminal or a pipe. The end of the input counts as an empty line. */
export async function askOnce(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

/** Whether a person uses the terminal. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}
