import type { Clock } from '#shared/kernel';

/** A command's environment, which tests replace. */
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

export interface Terminal {
  /** Shows the question. @returns the line that was typed; `undefined` if the input ended, or a stop came */
  ask(question: string): Promise<string | undefined>;
}
