import type { Command } from 'commander';
import { WRONG_MATCHES, type WrongMatch } from '#shared/enrichment';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { example } from '../../terminal/example.ts';
import { type OutputOptions, printJson, printSheet, withCsv } from '../../terminal/output.ts';
import { readDoubts } from '../books/doubts.ts';

/** What the data service was paid for and should not have been, with all that it needs to look it up. */
interface Claim {
  /** When the question was sent, ISO 8601. */
  readonly askedAt: string;
  readonly why: 'wrong match' | 'no answer';
  readonly operation: string;
  readonly credits: number;
  /** The data service's own id of the request, where it gave one. */
  readonly requestId: string;
  /** Ours; no personal data. */
  readonly questionKey: string;
}

/** `review claims`: a file to send to the data service. */
export function addClaims(parent: Command, cli: Cli): void {
  withCsv(parent.command('claims'))
    .description('what was paid for wrong matches and doubts, for the data service; no personal data')
    .addHelpText('after', example('review claims --csv > claims.csv'))
    .action((options: OutputOptions) => claims(cli, options));
}

const COLUMNS = ['askedAt', 'why', 'operation', 'credits', 'requestId', 'questionKey'] as const;

async function claims(cli: Cli, options: OutputOptions): Promise<void> {
  await cli.connected(async (connection) => {
    const all = [...(await wrongMatches(connection)), ...(await unanswered(connection))];
    const found = all.toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
    if (options.json) return printJson(cli.io, found);
    if (found.length === 0 && !options.csv) return cli.io.out('Nothing to claim.\n');
    const rows = found.map((claim) => COLUMNS.map((column) => String(claim[column])));
    printSheet(cli.io, { columns: COLUMNS, rows, right: [3] }, options);
  });
}

async function wrongMatches({ services }: Connection): Promise<readonly Claim[]> {
  return claimsOf(await services.wrongMatches.list({ partition: WRONG_MATCHES }));
}

/** One request is claimed once, however many records it was written to; of a search each of its wrong results is. */
export function claimsOf(marked: readonly WrongMatch[]): Claim[] {
  const byRequest = Map.groupBy(marked, ({ questionKey, askedAtMs }) => `${questionKey} ${askedAtMs}`);
  return [...byRequest.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { askedAtMs, operation, requestId = '', questionKey } = first;
    const isSearch = operation === 'companiesByDomain';
    const credits = isSearch ? same.reduce((sum, each) => sum + each.credits, 0) : first.credits;
    const askedAt = new Date(askedAtMs).toISOString();
    return [{ askedAt, why: 'wrong match', operation, credits, requestId, questionKey }];
  });
}

async function unanswered(connection: Connection): Promise<readonly Claim[]> {
  const { doubts } = await readDoubts(connection);
  return doubts.map(({ since: askedAt, operation, credits, questionKey }) => ({
    ...{ askedAt, why: 'no answer', operation, credits, requestId: '', questionKey },
  }));
}
