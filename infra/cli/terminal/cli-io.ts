/** What a command has of the world: its tests give it another one. */
export interface CliIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results: what a script reads. */
  out(text: string): unknown;
  /** Everything that is said to a person: prices, progress, errors. */
  err(text: string): unknown;
  /** Absent where no person can be asked. */
  readonly terminal?: Terminal | undefined;
  /** Of the terminal that results go to, in columns; where they go to a file or a pipe, rows are as wide as they are. */
  readonly width?: number | undefined;
  /** Whether results are painted. */
  readonly colours: boolean;
  /** Ends waiting; its reason is the error that is then reported. */
  readonly signal?: AbortSignal | undefined;
}

export interface Terminal {
  /** Shows the question and resolves with the line that was typed. */
  ask(question: string): Promise<string>;
}
