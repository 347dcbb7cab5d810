import { appendFileSync } from 'node:fs';

/** One run of the operator's commands in a test. */
export interface ExercisedRun {
  readonly argv: readonly string[];
  /** The exit code. */
  readonly code: number;
  /** Codes of the checks that the command printed as JSON. */
  readonly checks: readonly string[];
}

/** `npm test` names a file: then it keeps each different run, as a line of JSON, for its check of what is exercised. */
const FILE = process.env['EXERCISED_FILE'];
const kept = new Set<string>();

export function keepRun(run: ExercisedRun): void {
  const line = `${JSON.stringify(run)}\n`;
  if (FILE === undefined || kept.has(line)) return;
  kept.add(line);
  appendFileSync(FILE, line);
}

/** @param out standard output of a command. @returns nothing for commands without checks. */
export function checkCodesIn(out: string): readonly string[] {
  if (!out.includes('"checks":')) return [];
  const { checks = [] } = JSON.parse(out) as { readonly checks?: readonly { readonly code: string }[] };
  return checks.map(({ code }) => code);
}
