import { type Command, InvalidArgumentError } from 'commander';
import { DAY_MS } from '#shared/kernel';
import { systemClock as clock } from '#shared/kernel/adapters';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { wholeNumber } from '../../terminal/option-values.ts';
import { type OutputOptions, printJson, printSheet, withCsv } from '../../terminal/output.ts';
import { leftoversIn, type Unmapped } from './leftovers.ts';

/** `unmapped`: values of answers that fitted no property or that no field takes, for those who keep the policy. */
export function addUnmapped(program: Command, cli: Cli): void {
  withCsv(program.command('unmapped'))
    .description(
      'values that were not written because they fit no property, none of its choices, or no field takes them; most frequent first',
    )
    .option('--days <n>', 'of so many days back; 30 by default', days)
    .addHelpText('after', example('unmapped --days 7'))
    .action((options: OutputOptions & { readonly days?: number }) => list(cli, options));
}

function days(given: string): number {
  const count = wholeNumber(1)(given);
  if (count <= 400) return count;
  throw new InvalidArgumentError('It must be 400 or less.');
}

async function list(cli: Cli, options: OutputOptions & { readonly days?: number }): Promise<void> {
  await cli.connected(async ({ services, policy }) => {
    const toMs = clock.now();
    const entries = await services.journal.between({ fromMs: toMs - (options.days ?? 30) * DAY_MS, toMs });
    const dropped: readonly Unmapped[] = entries.flatMap(({ objectType, dropped: own = [] }) =>
      own.map(({ property, reason }) => ({ objectType, property, reason })),
    );
    const all = [...dropped, ...(await leftoversIn({ services, policy }, entries))];
    const groups = [...Map.groupBy(all, (one) => JSON.stringify(one)).values()];
    const counted = groups
      .flatMap((group) => (group[0] ? [{ ...group[0], records: group.length }] : []))
      .sort((a, b) => b.records - a.records);
    if (options.json) return printJson(cli.io, counted);
    if (counted.length === 0 && !options.csv) return cli.io.out('Every value that an answer had fitted.\n');
    const columns = ['objectType', 'property', 'key', 'records', 'reason'] as const;
    const rows = counted.map((one) => columns.map((column) => String(one[column] ?? '')));
    printSheet(cli.io, { columns, rows, right: [3] }, options);
  });
}
