import { UpstreamError } from '#shared/kernel';
import {
  type ParamsOf,
  sentenceOf,
  type TextParams,
  type TextRow,
  textRow,
  withoutPeriod,
} from '../text-row.ts';
import { addressIn, isUnanswered, nodeCodeOf } from '../unanswered.ts';
import { DAMAGED_FOLDER_ADVICE, SettingsError } from './settings-error.ts';

/** A failure of a service, the disk or the settings, described for a person. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  readonly params?: TextParams | undefined;
  readonly isSetting: boolean;
  /** Whether the same attempt may succeed later. */
  readonly isTransient?: boolean;
}

interface ErrorTextOptions {
  readonly verbose?: boolean;
  /** Data folder, for errors that do not name a file. */
  readonly dataFolder?: string;
}

/** Describes an expected failure. @returns `undefined` for a bug. */
export function failureOf(
  error: unknown,
  { dataFolder = process.env['DATA_DIR'] ?? '.data' }: ErrorTextOptions = {},
): Failure | undefined {
  if (error instanceof SettingsError) {
    const { message, code, params } = error;
    return { message, code, params, isSetting: true };
  }
  if (!(error instanceof Error)) return undefined;
  const unanswered = chainOf(error).find((each) => '$metadata' in each && isUnanswered(each));
  if (unanswered) return failure('aws-silent', { address: addressIn(unanswered) });
  if (error instanceof UpstreamError) return upstreamFailure(error);
  if ('$metadata' in error)
    return failure('aws-refused', { name: error.name, said: withoutPeriod(error.message) });
  return diskFailure(error, dataFolder);
}

/** Text of any error for the terminal, with the stack trace only on request. */
export function errorText(error: unknown, telling: ErrorTextOptions = {}): string {
  const { verbose = process.argv.includes('--verbose') } = telling;
  const stack = error instanceof Error ? error.stack : undefined;
  const message =
    failureOf(error, telling)?.message ??
    `This is a bug in the program: ${withoutPeriod(String(error).split('\n', 1)[0] ?? '')}. Add --verbose for the stack trace.`;
  return verbose && stack ? `${message}\n${stack}` : message;
}

/** Ends the process on unhandled errors, in the words of the others. */
export function endOnStrayErrors(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.once(event, (error: unknown) => {
      process.stderr.write(`${errorText(error)}\n`);
      process.exit(1);
    });
}

const USE_OTHER_FOLDER = 'set DATA_DIR to a folder that you may write to';
const MAKE_ROOM = 'make room there, or set DATA_DIR to a folder on another disk';
const MOVE_AWAY = 'move it away, or set DATA_DIR to another folder';
const CLOSE_PROGRAMS = 'close other programs, or raise the limit of open files';

/** Failures of this machine's disk and of AWS. The disk's have the codes of the file system. */
export const FAILURE_TEXTS = {
  ENOSPC: diskRow('the disk is full', MAKE_ROOM),
  EDQUOT: diskRow('your share of the disk is used up', MAKE_ROOM),
  EROFS: diskRow('the disk is read-only', USE_OTHER_FOLDER),
  EACCES: diskRow('this user has no permission there', USE_OTHER_FOLDER),
  EPERM: diskRow('this user has no permission there', USE_OTHER_FOLDER),
  ENOTDIR: diskRow('a file is where a folder should be', MOVE_AWAY),
  EEXIST: diskRow('a file is where a folder should be', MOVE_AWAY),
  EISDIR: diskRow('a folder is where a file should be', MOVE_AWAY),
  ENOENT: diskRow('it was removed', 'start again'),
  EIO: diskRow('the disk does not answer', 'see the disk, or set DATA_DIR to a folder on another one'),
  EMFILE: diskRow('too many files are open', CLOSE_PROGRAMS),
  ENFILE: diskRow('too many files are open', CLOSE_PROGRAMS),
  'store-damaged': textRow('The store in {place} is damaged', DAMAGED_FOLDER_ADVICE),
  'aws-refused': textRow('AWS refused the request ({name}): {said}'),
  'aws-silent': textRow(
    ({ address }: { address: string | undefined }) =>
      address === undefined ? 'AWS did not answer in time' : `AWS does not answer at ${address}`,
    'check the network, AWS_REGION, and AWS_ENDPOINT_URL if it is set',
  ),
};

function diskRow<const Cause extends string>(cause: Cause, advice: string) {
  return textRow(`{place} cannot be used, because ${cause}` as const, advice);
}

type FailureCode = keyof typeof FAILURE_TEXTS;

function failure<Code extends FailureCode>(
  code: Code,
  params: ParamsOf<(typeof FAILURE_TEXTS)[Code]>,
): Failure {
  const message = sentenceOf<TextParams>(FAILURE_TEXTS[code] as TextRow<TextParams>, params);
  return { message, code, params, isSetting: false };
}

function diskFailure(error: Error, dataFolder: string): Failure | undefined {
  const storeError = chainOf(error).find((each) => nodeCodeOf(each) === 'ERR_SQLITE_ERROR');
  if (storeError) return storeFailure(storeError, dataFolder);
  const codes = chainOf(error).map(nodeCodeOf);
  const code = codes.find((each) => /^E[A-Z]+$/.test(each) && each in FAILURE_TEXTS && !('address' in error));
  if (code === undefined) return undefined;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : dataFolder;
  return failure(code as 'ENOSPC', { place });
}

/** SQLite's primary result codes, from https://sqlite.org/rescode.html. */
const STORE_FAILURES: Readonly<Record<number, 'EACCES' | 'EIO' | 'ENOSPC' | 'store-damaged'>> = {
  3: 'EACCES',
  8: 'EACCES',
  10: 'EIO',
  11: 'store-damaged',
  13: 'ENOSPC',
  14: 'EACCES',
  26: 'store-damaged',
};

function storeFailure(error: Error, dataFolder: string): Failure | undefined {
  const code = 'errcode' in error ? STORE_FAILURES[Number(error.errcode) & 0xff] : undefined;
  return code && failure(code, { place: dataFolder });
}

function upstreamFailure({ message, code, retryable }: UpstreamError): Failure {
  // The text of a wrong clock says itself what to do.
  const isTransient = retryable && code !== 'CLOCK_WRONG';
  const advice = isTransient ? ' Try again later.' : '';
  return { message: `${withoutPeriod(message)}.${advice}`, code, isSetting: false, isTransient };
}

function chainOf(error: Error): Error[] {
  return error.cause instanceof Error ? [error, ...chainOf(error.cause)] : [error];
}
