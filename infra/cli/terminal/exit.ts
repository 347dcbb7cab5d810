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

/** The errors of each exit code. So a code has one meaning, and one exit code, in every command. */
const ERRORS = {
  failed: [
    ...['books-moved', 'declined', 'forgotten', 'hubspot', 'left-behind', 'no-entry', 'not-admitted'],
    ...['overcharged', 'record-failed', 'rejected', 'stopped', 'unreadable'],
  ],
  usage: [
    ...['account-differs', 'aws-refused', 'file-exists', 'file-unreadable', 'from-after-to', 'ids-and-where'],
    ...[
      'key-refused',
      'no-ids',
      'no-output',
      'no-such-property',
      'no-such-step',
      'not-a-person',
      'not-a-record',
    ],
    ...['file-damaged', 'not-a-test-account', 'not-an-id', 'not-asked', 'other-account'],
    ...['run-without-record', 'several-records'],
    ...['shared-mailbox', 'to-come', 'token-refused', 'too-few-criteria', 'usage', 'wrong-address'],
  ],
  refused: [
    ...['ahead', 'backfill', 'complete', 'doubt', 'not-ahead', 'not-in-state', 'rate-limit'],
    ...['stopped-by-person', 'too-dear', 'too-early', 'too-old', 'under-way', 'withdrawn'],
  ],
  notFound: [
    ...[
      'before-the-books',
      'empty',
      'merged',
      'no-apply',
      'no-backfill',
      'no-doubt',
      'no-person',
      'no-policy',
    ],
    ...['no-property', 'no-record', 'no-run', 'no-stack', 'not-open', 'not-probed', 'nothing-to-undo'],
  ],
} as const;

export type ErrorCode = (typeof ERRORS)[keyof typeof ERRORS][number];

const EXITS: ReadonlyMap<string, ExitCode> = new Map(
  Object.entries(ERRORS).flatMap(([exit, codes]) =>
    codes.map((code) => [code, EXIT[exit as keyof typeof ERRORS]] as const),
  ),
);

/** @returns the exit code of an error; `undefined` for codes of another catalogue, such as waits. */
export function exitOfError(code: string): ExitCode | undefined {
  return EXITS.get(code);
}

type ErrorDetails = Partial<Pick<CliError, 'params' | 'untilMs'>> &
  (
    | { readonly code: ErrorCode }
    /** A code of another catalogue: refused arguments, waits, failures of services and the disk. */
    | { readonly code: string; readonly exit: ExitCode }
  );

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

  constructor(wording: Wording, details: ErrorDetails) {
    super(wordingText(wording, undefined));
    this.name = 'CliError';
    this.wording = wording;
    this.exit = 'exit' in details ? details.exit : (EXITS.get(details.code) ?? EXIT.failed);
    this.code = details.code;
    this.params = details.params;
    this.untilMs = details.untilMs;
  }
}

export function usageError(wording: Wording): CliError {
  return new CliError(wording, { code: 'usage' });
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
