import { UpstreamError } from '#shared/kernel';
import { SettingsError } from './settings.ts';

/** A failure of a service, the disk or the settings, described for a person. */
export interface Failure {
  /** One sentence with the remedy. */
  readonly message: string;
  /** Identifies the failure for scripts. */
  readonly code: string;
  readonly isSetting: boolean;
  /** Whether the same attempt may succeed later. */
  readonly isTransient?: boolean;
}

interface ErrorTextOptions {
  /** Adds the stack trace. */
  readonly verbose?: boolean;
  /** Data folder, for errors that do not name a file. */
  readonly dataFolder?: string;
}

/** Describes an expected failure. @returns `undefined` for a bug. */
export function failureOf(
  error: unknown,
  { dataFolder = process.env['DATA_DIR'] ?? '.data' }: ErrorTextOptions = {},
): Failure | undefined {
  if (error instanceof SettingsError) return { message: error.message, code: 'settings', isSetting: true };
  if (error instanceof UpstreamError) return upstreamFailure(error);
  if (!(error instanceof Error)) return undefined;
  if ('$metadata' in error) return ownServerFailure(error) ?? awsFailure(error);
  return diskFailure(error, dataFolder) ?? connectionFailure(error);
}

/** Text of any error for the terminal, with the stack trace only on request. */
export function errorText(error: unknown, telling: ErrorTextOptions = {}): string {
  const { verbose = process.argv.includes('--verbose') } = telling;
  const stack = error instanceof Error ? error.stack : undefined;
  const message =
    failureOf(error, telling)?.message ??
    `This is a bug in the program: ${firstLine(String(error))}. Add --verbose for the stack trace.`;
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

/** Causes and remedies by the code of the file system. */
const DISK: Readonly<Record<string, readonly [cause: string, advice: string]>> = {
  ENOSPC: ['the disk is full', MAKE_ROOM],
  EDQUOT: ['your share of the disk is used up', MAKE_ROOM],
  EROFS: ['the disk is read-only', USE_OTHER_FOLDER],
  EACCES: ['this user has no permission there', USE_OTHER_FOLDER],
  EPERM: ['this user has no permission there', USE_OTHER_FOLDER],
  ENOTDIR: ['a file is where a folder should be', 'move it away, or set DATA_DIR to another folder'],
  EEXIST: ['a file is where a folder should be', 'move it away, or set DATA_DIR to another folder'],
  EISDIR: ['a folder is where a file should be', 'move it away, or set DATA_DIR to another folder'],
  ENOENT: ['it was removed', 'start again'],
  EIO: ['the disk does not answer', 'see the disk, or set DATA_DIR to a folder on another one'],
  EMFILE: ['too many files are open', 'close other programs, or raise the limit of open files'],
  ENFILE: ['too many files are open', 'close other programs, or raise the limit of open files'],
};

function diskFailure(error: Error, dataFolder: string): Failure | undefined {
  const storeError = chainOf(error).find((each) => codeOf(each) === 'ERR_SQLITE_ERROR');
  if (storeError) return storeFailure(storeError, dataFolder);
  const code = chainOf(error)
    .map(codeOf)
    .find((each) => each in DISK && !('address' in error));
  const known = code === undefined ? undefined : DISK[code];
  if (code === undefined || !known) return undefined;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : dataFolder;
  return disk(code, `${place} cannot be used, because ${known[0]}: ${known[1]}.`);
}

/** SQLite's primary result codes, from https://sqlite.org/rescode.html, as codes of the file system. */
const STORE: Readonly<Record<number, string>> = {
  3: 'EACCES',
  8: 'EACCES',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
};
const DAMAGED = [11, 26];

function storeFailure(error: Error, dataFolder: string): Failure | undefined {
  const result = 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (DAMAGED.includes(result))
    return disk('store-damaged', `The store in ${dataFolder} is damaged: ${DAMAGED_FOLDER_ADVICE}.`);
  const code = STORE[result];
  const known = code === undefined ? undefined : DISK[code];
  if (code === undefined || !known) return undefined;
  return disk(code, `The store in ${dataFolder} cannot be used, because ${known[0]}: ${known[1]}.`);
}

/** Remedy for a damaged data folder. */
export const DAMAGED_FOLDER_ADVICE =
  'restore the folder from a copy. Without a copy, run "npm start -- --fresh" on the stand-ins; with the real services, set another DATA_DIR, which starts without your answers and ledger';

function upstreamFailure({ message, code, retryable }: UpstreamError): Failure {
  // The text of a wrong clock says itself what to do.
  const isTransient = retryable && code !== 'CLOCK_WRONG';
  const advice = isTransient ? ' Try again later.' : '';
  return { message: `${withoutPeriod(message)}.${advice}`, code, isSetting: false, isTransient };
}

/** A laptop's queues are a server of `npm start` on this machine, although the AWS SDK calls it. */
function ownServerFailure(error: Error): Failure | undefined {
  return 'address' in error && error.address === '127.0.0.1' ? connectionFailure(error) : undefined;
}

function awsFailure(error: Error): Failure {
  return {
    message: `AWS refused the request (${error.name}): ${error.message}`,
    code: 'aws-refused',
    isSetting: false,
  };
}

function connectionFailure(error: Error): Failure | undefined {
  if (!chainOf(error).some((each) => codeOf(each) === 'ECONNREFUSED')) return undefined;
  const message = 'The running system ended during this command; run the command again.';
  return { message, code: 'connection-lost', isSetting: false };
}

function disk(code: string, message: string): Failure {
  return { message, code, isSetting: false };
}

function chainOf(error: Error): Error[] {
  return error.cause instanceof Error ? [error, ...chainOf(error.cause)] : [error];
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function firstLine(text: string): string {
  return withoutPeriod(text.split('\n', 1)[0] ?? '');
}

function withoutPeriod(text: string): string {
  return text.replace(/\.$/, '');
}
