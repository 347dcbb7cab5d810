import { type Wording, wordingText } from '#shared/kernel';

/** Exit codes. The reference of the commands shows `EXIT_MEANINGS`. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** A budget, the rate limit, a breaker or a doubt prevents the work. Retry later. */
  refused: 3,
  /** No such thing, or nothing to do: it is done, decided or excluded already. A retry changes nothing. */
  notFound: 4,
} as const;

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'failed, declined, or an assumption differs',
  2: 'wrong argument or setting, or `--yes` is missing',
  3: 'refused by a budget, a stop or a doubt: retry later',
  4: 'not found, or nothing to do: no match, excluded, forgotten, or decided before',
};

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of each error. So an error's code has one meaning in every command. */
const EXITS = {
  'books-moved': EXIT.failed,
  declined: EXIT.failed,
  hubspot: EXIT.failed,
  'left-behind': EXIT.failed,
  'no-entry': EXIT.failed,
  overcharged: EXIT.failed,
  'record-failed': EXIT.failed,
  rejected: EXIT.failed,
  stopped: EXIT.failed,
  unreadable: EXIT.failed,
  'account-differs': EXIT.usage,
  'aws-refused': EXIT.usage,
  'file-exists': EXIT.usage,
  'file-unreadable': EXIT.usage,
  'from-after-to': EXIT.usage,
  'ids-and-where': EXIT.usage,
  'key-refused': EXIT.usage,
  'no-ids': EXIT.usage,
  'no-output': EXIT.usage,
  'no-such-property': EXIT.usage,
  'no-such-step': EXIT.usage,
  'not-a-person': EXIT.usage,
  'not-a-record': EXIT.usage,
  'file-damaged': EXIT.usage,
  'not-a-test-account': EXIT.usage,
  'not-an-id': EXIT.usage,
  'not-asked': EXIT.usage,
  'other-account': EXIT.usage,
  'run-without-record': EXIT.usage,
  'several-records': EXIT.usage,
  'shared-mailbox': EXIT.usage,
  'to-come': EXIT.usage,
  'token-refused': EXIT.usage,
  'too-few-criteria': EXIT.usage,
  usage: EXIT.usage,
  'wrong-address': EXIT.usage,
  ahead: EXIT.refused,
  backfill: EXIT.refused,
  doubt: EXIT.refused,
  'rate-limit': EXIT.refused,
  'stopped-by-person': EXIT.refused,
  'too-dear': EXIT.refused,
  'too-early': EXIT.refused,
  'too-old': EXIT.refused,
  'under-way': EXIT.refused,
  withdrawn: EXIT.refused,
  'before-the-books': EXIT.notFound,
  complete: EXIT.notFound,
  empty: EXIT.notFound,
  forgotten: EXIT.notFound,
  merged: EXIT.notFound,
  'no-apply': EXIT.notFound,
  'no-backfill': EXIT.notFound,
  'no-doubt': EXIT.notFound,
  'no-person': EXIT.notFound,
  'no-policy': EXIT.notFound,
  'no-property': EXIT.notFound,
  'no-record': EXIT.notFound,
  'no-run': EXIT.notFound,
  'no-stack': EXIT.notFound,
  'not-admitted': EXIT.notFound,
  'not-ahead': EXIT.notFound,
  'not-in-state': EXIT.notFound,
  'not-open': EXIT.notFound,
  'not-probed': EXIT.notFound,
  'nothing-to-undo': EXIT.notFound,
} as const satisfies Readonly<Record<string, ExitCode>>;

export type ErrorCode = keyof typeof EXITS;

/** @returns the exit code of an error; `undefined` for codes of another catalogue, such as waits. */
export function exitOfError(code: string): ExitCode | undefined {
  return (EXITS as Readonly<Record<string, ExitCode>>)[code];
}

interface ErrorDetails {
  /** Figures and names of the message, such as the option at fault. Never a person's data. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Earliest time of a retry, epoch milliseconds. */
  readonly untilMs?: number | undefined;
}

/** Ends a command without a result. The message is one sentence for the operator, the code is for scripts. */
export class CliError extends Error {
  readonly code: string;
  readonly wording: Wording;
  readonly exit: ExitCode;
  readonly params: ErrorDetails['params'];
  readonly untilMs: number | undefined;

  /** Another catalogue's code needs an exit code: refused arguments, waits, failures of services and the disk. */
  constructor(code: ErrorCode, wording: Wording, details?: ErrorDetails);
  constructor(code: string, wording: Wording, details: ErrorDetails & { readonly exit: ExitCode });
  constructor(code: string, wording: Wording, details: ErrorDetails & { readonly exit?: ExitCode } = {}) {
    super(wordingText(wording, undefined));
    this.name = 'CliError';
    this.code = code;
    this.wording = wording;
    this.exit = details.exit ?? EXITS[code as ErrorCode];
    this.params = details.params;
    this.untilMs = details.untilMs;
  }
}

export function usageError(wording: Wording): CliError {
  return new CliError('usage', wording);
}

export function errorJson({ code, params, wording, untilMs }: CliError, stack: string | undefined) {
  const until = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
  return { code, params, message: wordingText(wording, stack), until };
}
