import { type Wording, wordingText } from '#shared/kernel';

/** Exit codes for scripts. */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** An argument or a setting is missing or wrong. */
  usage: 2,
  /** A budget, the rate limit, a breaker or a doubt prevents the work. Retry later. */
  refused: 3,
  notFound: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command without a result. The message is one sentence for the operator. */
export class CliError extends Error {
  readonly wording: Wording;
  readonly exit: ExitCode;
  /** Reason for scripts: `budget`, `rate-limit`, `not-asked`, ... */
  readonly code: string;
  /** Figures and names of the message, such as the option at fault. Never a person's data. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** Earliest time of a retry, epoch milliseconds. */
  readonly untilMs: number | undefined;

  constructor(
    wording: Wording,
    details: Pick<CliError, 'exit' | 'code'> & Partial<Pick<CliError, 'params' | 'untilMs'>>,
  ) {
    super(wordingText(wording, undefined));
    this.name = 'CliError';
    this.wording = wording;
    this.exit = details.exit;
    this.code = details.code;
    this.params = details.params;
    this.untilMs = details.untilMs;
  }
}

export function usageError(wording: Wording): CliError {
  return new CliError(wording, { exit: EXIT.usage, code: 'usage' });
}

/** The error for JSON output. */
export function errorJson(
  { code, params, wording, untilMs }: CliError,
  stack: string | undefined,
): Readonly<Record<string, unknown>> {
  const message = wordingText(wording, stack);
  return {
    code,
    ...(params && { params }),
    message,
    ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }),
  };
}
