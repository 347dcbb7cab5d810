import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { comparePolicies, findPolicy } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { dayOf, daysUpTo } from '#shared/kernel';
import { whatItBrought } from '#shared/spend';
import { localPolicy } from '../../../local/policy.ts';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';
import { type OutputOptions, printJson, printSheet, withJson } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { comparisonParts, MATCH_RATE_DAYS, markdownOf, type Part } from './compare-words.ts';

type CompareOptions = OutputOptions & {
  readonly against?: string;
  readonly markdown?: boolean;
};

/** `policy compare`: what a policy would write, protect and spend, before it does. */
export function addCompare(policy: Command, cli: Cli): void {
  withJson(policy.command('compare <new>'))
    .description('hold a policy file against all stored answers; asks nobody, writes and spends nothing')
    .option(
      '--against <policy>',
      'a file, or the version or hash of an earlier policy, instead of the one in force',
      text,
    )
    .addOption(new Option('--markdown', 'print Markdown, such as for a pull request').conflicts('json'))
    .addHelpText('after', example('policy compare wider-policy.ts'))
    .action((file: string, options: CompareOptions) => compare(cli, file, options));
}

async function compare(cli: Cli, file: string, options: CompareOptions): Promise<void> {
  const { io } = cli;
  const after = await fileOf(file);
  await cli.connected(async (connection) => {
    const before = await currentOf(connection, options);
    const matchRate = await lateMatchRate(connection);
    const progress = createProgress(io, { noun: 'records' });
    const comparison = await comparePolicies(enrichmentServices(connection), {
      ...{ before, after, matchRate, signal: io.signal },
      onProgress: progress.update,
    }).finally(progress.end);
    const versions = { before: before.version, after: after.version };
    if (options.json) return printJson(io, { ...versions, ...comparison });
    const parts = comparisonParts(comparison, versions);
    if (options.markdown) io.out(`${markdownOf(parts)}\n`);
    else printParts(cli, parts);
  });
}

/** Share of the records that were looked up in the last days. */
async function lateMatchRate({ services, policy: { timeZone } }: Connection): Promise<number | undefined> {
  const today = dayOf(services.questions.clock.now(), timeZone);
  return whatItBrought(await services.dailyBrought.read(daysUpTo(today, MATCH_RATE_DAYS)), 0).matchRate;
}

function fileOf(policyFile: string): Promise<Policy> {
  return localPolicy({ policyFile, real: undefined });
}

/** A name that is no file's is that of a policy that was in force. */
async function currentOf({ policy, services }: Connection, { against }: CompareOptions): Promise<Policy> {
  if (against === undefined) return policy;
  if (existsSync(against)) return fileOf(against);
  const archived = await findPolicy(services, against);
  if (archived) return archived;
  const message = `There is no policy file ${against}, and no policy of that version or hash was in force.`;
  throw new CliError(message, { exit: EXIT.notFound, code: 'no-policy' });
}

function printParts({ io }: Cli, parts: readonly Part[]): void {
  for (const [index, { heading, lines, sheet }] of parts.entries()) {
    if (index > 0) io.out('\n');
    io.out(`${heading}\n${lines.map((line) => `  ${line}\n`).join('')}`);
    if (!sheet) continue;
    io.out('\n');
    printSheet(io, sheet, {});
  }
}
