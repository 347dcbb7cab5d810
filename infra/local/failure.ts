import { UpstreamError } from '#shared/kernel';
import { SettingsError } from './settings.ts';

/** A failure of the outside, of the disk or of the settings, as a person reads it. */
export interface Failure {
  /** One sentence with what to do. */
  readonly message: string;
  /** Tells failures apart for scripts. */
  readonly code: string;
  readonly isSetting: boolean;
}

interface Telling {
  /** Whether a mistake of the program is told with its stack. */
  readonly verbose?: boolean;
  /** Where the data is, for errors that do not name a file. */
  readonly dataFolder?: string;
}

/** Nothing for a mistake of the program. */
export function failureOf(
  error: unknown,
  { dataFolder = process.env['DATA_DIR'] ?? '.data' }: Telling = {},
): Failure | undefined {
  if (error instanceof SettingsError) return { message: error.message, code: 'settings', isSetting: true };
  if (error instanceof UpstreamError)
    return { message: `${endless(error.message)}.`, code: error.code, isSetting: false };
  if (!(error instanceof Error)) return undefined;
  if ('$metadata' in error) return awsFailure(error);
  return diskFailure(error, dataFolder) ?? connectionFailure(error);
}

/** Every error as its last words: a sentence, and a stack only on request. */
export function told(error: unknown, telling: Telling = {}): string {
  const { verbose = process.argv.includes('--verbose') } = telling;
  const stack = error instanceof Error ? error.stack : undefined;
  const message =
    failureOf(error, telling)?.message ??
    `This is a mistake of the program: ${firstLine(String(error))}. Add --verbose to see where.`;
  return verbose && stack ? `${message}\n${stack}` : message;
}

/** An unawaited failure ends the process too: the embedded store throws disk errors past every caller. */
export function endOnStrayErrors(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.once(event, (error: unknown) => {
      process.stderr.write(`${told(error)}\n`);
      process.exit(1);
    });
}

const ELSEWHERE = 'set DATA_DIR to a folder that you may write to';
const FULL = 'make room there, or set DATA_DIR to a folder on another disk';

/** What the file system says, and what to do about it. */
const DISK: Readonly<Record<string, readonly [cause: string, advice: string]>> = {
  ENOSPC: ['the disk is full', FULL],
  EDQUOT: ['your share of the disk is used up', FULL],
  EROFS: ['the disk is read-only', ELSEWHERE],
  EACCES: ['this user has no permission there', ELSEWHERE],
  EPERM: ['this user has no permission there', ELSEWHERE],
  ENOTDIR: ['a file is where a folder should be', 'move it away, or set DATA_DIR to another folder'],
  EEXIST: ['a file is where a folder should be', 'move it away, or set DATA_DIR to another folder'],
  EISDIR: ['a folder is where a file should be', 'move it away, or set DATA_DIR to another folder'],
  ENOENT: ['it was removed', 'start again'],
  EIO: ['the disk does not answer', 'see the disk, or set DATA_DIR to a folder on another one'],
  EMFILE: ['too many files are open', 'close other programs, or raise the limit of open files'],
  ENFILE: ['too many files are open', 'close other programs, or raise the limit of open files'],
};

function diskFailure(error: Error, dataFolder: string): Failure | undefined {
  const texts = chainOf(error).map(({ message }) => message);
  const codes = chainOf(error).map(codeOf);
  const isOfTables = codes.some((code) => code.startsWith('LEVEL_')) || texts.includes('Database is closed');
  if (isOfTables) return tablesFailure(texts, dataFolder);
  const code = codes.find((each) => each in DISK && !('address' in error));
  const told = code === undefined ? undefined : DISK[code];
  if (code === undefined || !told) return undefined;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : dataFolder;
  return disk(code, `${place} cannot be used, because ${told[0]}: ${told[1]}.`);
}

/** LevelDB has words of its own for what the disk said. */
function tablesFailure(texts: readonly string[], dataFolder: string): Failure {
  const full = texts.some((text) => /no space left|quota/i.test(text));
  if (full)
    return disk(
      'ENOSPC',
      `The tables in ${dataFolder} cannot be written, because the disk is full: ${FULL}.`,
    );
  if (texts.some((text) => /permission denied|read-only/i.test(text)))
    return disk(
      'EACCES',
      `${dataFolder} cannot be used, because this user may not write there: ${ELSEWHERE}.`,
    );
  const seen = `The tables in ${dataFolder} cannot be opened, because the disk is full or they are damaged`;
  return disk('tables-damaged', `${seen}: make room, or ${BEGIN_ANEW}.`);
}

/** What is left to do with a data folder that is damaged. */
export const BEGIN_ANEW =
  'restore the folder from a copy. Without a copy: "npm start -- --fresh" on the stand-ins; with the real services another DATA_DIR, which starts without your answers and ledger';

function awsFailure(error: Error): Failure {
  return {
    message: `AWS refused it (${error.name}): ${error.message}`,
    code: 'aws-refused',
    isSetting: false,
  };
}

function connectionFailure(error: Error): Failure | undefined {
  if (!chainOf(error).some((each) => codeOf(each) === 'ECONNREFUSED')) return undefined;
  const message = 'The running system ended in the middle of this command; run it once more.';
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
  return endless(text.split('\n', 1)[0] ?? '');
}

function endless(text: string): string {
  return text.replace(/\.$/, '');
}
