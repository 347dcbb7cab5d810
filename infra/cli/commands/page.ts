import { once } from 'node:events';
import { readReport } from '#shared/spend';
import { createHandler } from '../../../functions/report-spend/handler.ts';
import { type Failure, failureOf } from '../../local/failure.ts';
import { spendRoute, startHttpServer } from '../../local/http-server.ts';
import { environmentOf } from '../../local/terminal.ts';
import { sentenceOf, type TextParams, textRow } from '../../text-row.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError } from '../terminal/exit.ts';
import { portNumber } from '../terminal/refusals.ts';
import type { Sheet } from '../terminal/sheet.ts';
import { sourcesOf } from './spend.ts';

type PageOptions = CommandOptions & { readonly port?: number };

export function addPage(program: SheetCommand): void {
  program
    .command('page')
    .description('serve the spend page on this machine until Ctrl-C; it only reads')
    .option('--port <port>', 'this port of 127.0.0.1 (default: any free one)', portNumber)
    .example('--port 8080')
    .sheet(serve);
}

async function serve(run: CommandRun, { port = 0 }: PageOptions): Promise<Sheet> {
  const connection = await run.connectToRead();
  const { logger, stack } = connection;
  const sources = sourcesOf(connection, stack ? undefined : environmentOf(run.env['DATA_DIR']));
  const problemOf = (error: unknown) => readProblem(error, { isStack: stack !== undefined })?.message;
  // Reports a missing permission before a person opens the page.
  await readReport(sources).catch((error: unknown) => {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    throw new CliError('unreadable', problem);
  });
  const report = createHandler({ ...sources, logger });
  const route = spendRoute(report, problemOf);
  const server = await startHttpServer({ port, setting: '--port' }, { '/spend': route });
  const url = `${server.url}/spend`;
  return {
    json: { url },
    body: [`Spend page: ${url}`, 'It only reads. Press Ctrl-C to stop it.'],
    until: async () => {
      if (run.signal && !run.signal.aborted) await once(run.signal, 'abort');
      await server.close();
    },
  };
}

/** Why the page cannot read the tables now, and what to change. */
export const READ_PROBLEMS = {
  'not-allowed': textRow(
    'AWS does not allow you {action} ({name})',
    'allow the actions that docs/operations/page-policy.json lists',
  ),
  'not-signed-in': textRow(
    'AWS does not accept your credentials ({name})',
    'check AWS_PROFILE, sign in, and start this command again',
  ),
  'table-gone': textRow(
    'A table of the stack is gone ({name})',
    'start this command again, because it then looks for the tables again',
  ),
  'tables-silent': textRow(
    'The tables of the stack do not answer ({name})',
    'load the page again in a minute',
  ),
};

const CAUSES: readonly (readonly [name: RegExp, code: keyof typeof READ_PROBLEMS])[] = [
  [/AccessDenied/, 'not-allowed'],
  [
    /ExpiredToken|CredentialsProviderError|TokenProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature/,
    'not-signed-in',
  ],
  [/ResourceNotFound/, 'table-gone'],
];

/** @returns `undefined` for a bug of the program. */
export function readProblem(
  error: unknown,
  { isStack }: { isStack: boolean },
): Pick<Failure, 'code' | 'message' | 'params'> | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = 'code' in error ? String(error.code) : error.name;
  const known = isStack ? CAUSES.find(([cause]) => cause.test(name))?.[1] : undefined;
  const code = known ?? (isStack && '$metadata' in error ? 'tables-silent' : undefined);
  if (code === undefined) return failureOf(error);
  const action = /not authorized to perform: (\w+:\w+)/.exec(error.message)?.[1] ?? 'to read the tables';
  const params = code === 'not-allowed' ? { name, action } : { name };
  return { code, params, message: sentenceOf<TextParams>(READ_PROBLEMS[code], params) };
}
