/** How a command ends, for scripts. */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** An argument or a setting is missing or wrong. */
  usage: 2,
  /** A budget, the rate, a breaker or a doubt stands against it: try again later. */
  refused: 3,
  notFound: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The end of a command that did not come to a result; the message is one sentence for the operator. */
export class CliError extends Error {
  readonly exit: ExitCode;
  /** Tells reasons apart for scripts: `budget`, `rate-limit`, `not-asked`, ... */
  readonly code: string;
  /** When it may be tried again, epoch milliseconds. */
  readonly untilMs: number | undefined;

  constructor(message: string, details: { exit: ExitCode; code: string; untilMs?: number }) {
    super(message);
    this.name = 'CliError';
    this.exit = details.exit;
    this.code = details.code;
    this.untilMs = details.untilMs;
  }
}

export function usageError(message: string): CliError {
  return new CliError(message, { exit: EXIT.usage, code: 'usage' });
}

/** As it stands in JSON output. */
export function errorJson({ code, message, untilMs }: CliError): Readonly<Record<string, unknown>> {
  return { code, message, ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }) };
}
