import { existsSync } from 'node:fs';
import { Option } from 'commander';
import { comparePolicies, findPolicy } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { localPolicy } from '../../../local/policy.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError } from '../../terminal/exit.ts';
import { text } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { comparisonSections, markdownOf, sectionBody } from './compare-words.ts';

type CompareOptions = CommandOptions & { readonly against?: string; readonly markdown?: boolean };

/** `policy compare`: shows in advance what another policy would write, protect and spend. */
export function addCompare(policy: SheetCommand): void {
  const about = 'a file, or the version or hash of an earlier policy, instead of the one in force';
  policy
    .command('compare <new>')
    .description('compare another policy over all stored answers; writes and spends nothing')
    .option('--against <policy>', about, text)
    .addOption(new Option('--markdown', 'print Markdown, such as for a pull request').conflicts('json'))
    .example('wider-policy.ts')
    .sheet(compare);
}

async function compare(run: CommandRun, options: CompareOptions, file: string): Promise<Sheet> {
  const after = await fileOf(file);
  const connection = await run.connect();
  const { policy: before, source } = await currentOf(connection, options);
  const comparison = await comparePolicies(await enrichmentServices(connection), {
    before,
    after,
    signal: run.signal,
    onProgress: run.progress({ noun: 'records' }),
  });
  const versions = { before: before.version, after: after.version };
  const sections = comparisonSections(comparison, {
    before: `${before.version} (${source})`,
    after: `${after.version} (${file})`,
  });
  return {
    json: { ...versions, ...comparison },
    body: options.markdown ? [markdownOf(sections, run.stack)] : sections.flatMap(sectionBody),
  };
}

function fileOf(policyFile: string): Promise<Policy> {
  return localPolicy({ policyFile, real: undefined });
}

/** Finds the policy to compare with. If `--against` is not a file, it is the version or hash of an earlier policy. */
async function currentOf(
  { policy, services }: Connection,
  { against }: CompareOptions,
): Promise<{ readonly policy: Policy; readonly source: string }> {
  if (against === undefined) return { policy, source: 'in force' };
  if (existsSync(against)) return { policy: await fileOf(against), source: against };
  const archived = await findPolicy(services, against);
  if (archived) return { policy: archived, source: 'in force before' };
  const message = `There is no policy file ${against}, and no policy of that version or hash was in force.`;
  throw new CliError(message, { code: 'no-policy', params: { against } });
}
