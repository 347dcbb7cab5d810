import { readReport, viewSources } from '#shared/spend';
import { createHandler } from '../../../../functions/report-spend/handler.ts';
import { spendRoute, startHttpServer } from '../../../local/http-server.ts';
import { environmentOf } from '../../../local/terminal.ts';
import { readProblem } from '../../connection/read-problem.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import { portNumber } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';

type PageOptions = CommandOptions & { readonly port?: number };

/** Adds `page`, which serves the spend page of an installation on this machine. */
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
  const { services, policy, clock, logger, isReal, stack, hubSpotSite: hubSpot } = connection;
  const service = isReal ? 'real' : 'stand-in';
  const sources = viewSources(services, {
    ...{ service, stack: stack?.name, policy, clock, hubSpot },
    environment: stack ? undefined : environmentOf(run.env['DATA_DIR']),
  });
  const problemOf = (error: unknown) => readProblem(error, { isStack: stack !== undefined })?.message;
  // Reports a missing permission before a person opens the page.
  await readReport(sources).catch((error: unknown) => {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    throw new CliError(problem, { code: 'unreadable' });
  });
  const report = createHandler({ ...sources, logger });
  const route = spendRoute(report, problemOf);
  const server = await startHttpServer({ port, setting: '--port' }, { '/spend': route });
  const url = `${server.url}/spend`;
  return {
    json: { url },
    body: [`Spend page: ${url}`, 'It only reads. Press Ctrl-C to stop it.'],
    until: async () => {
      await aborted(run.signal);
      await server.close();
    },
  };
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
