import type { Command } from 'commander';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import type { EnsuredProperties } from '#shared/hubspot';
import { leaveMark, OTHER_INSTALLATION, readMark } from '../../../local/installation-mark.ts';
import { ensureEnrichmentProperties } from '../../../local/prepare-properties.ts';
import { settlePortal } from '../../../local/settle-portal.ts';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { EXIT } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, printSheet, withJson } from '../../terminal/output.ts';

type SetupOptions = OutputOptions & { readonly dryRun?: boolean };

/** `setup`: the properties that enrichment writes. Safe to repeat; nothing of the portal's is taken away. */
export function addSetup(program: Command, cli: Cli): void {
  withJson(
    program.command('setup').description('create the enrichment properties in HubSpot; safe to repeat'),
  )
    .option('--dry-run', 'tell what would be created, and create nothing')
    .addHelpText('after', example('setup --dry-run'))
    .action((options: SetupOptions) => setUp(cli, options));
}

/** With `npm start` the only one: all others look at books that are there. */
const BEGINS_BOOKS = { beginsBooks: true };

async function setUp(cli: Cli, { dryRun = false, json }: SetupOptions): Promise<void> {
  await cli.connected(async ({ services }) => {
    const { hubSpot } = services;
    if (!dryRun) await settlePortal(services);
    const ensured: [ObjectType, EnsuredProperties][] = [];
    for (const objectType of OBJECT_TYPES)
      ensured.push([objectType, await ensureEnrichmentProperties(hubSpot, { objectType, dryRun })]);
    if (ensured.some(([, { conflicts }]) => conflicts.length > 0)) cli.end(EXIT.failed);
    const mark = await (dryRun ? readMark : leaveMark)(services);
    if (mark === 'other') cli.io.err(`WARNING: ${OTHER_INSTALLATION.seen}: ${OTHER_INSTALLATION.advice}.\n`);
    if (json) printJson(cli.io, { dryRun, ...Object.fromEntries(ensured) });
    else printEnsured(cli, ensured, dryRun);
  }, BEGINS_BOOKS);
}

function printEnsured(
  { io }: Cli,
  ensured: readonly (readonly [ObjectType, EnsuredProperties])[],
  dryRun: boolean,
): void {
  const rows = ensured.flatMap(([objectType, done]) =>
    statesOf(done, dryRun).map(([name, state]) => [objectType, name, state]),
  );
  printSheet(io, { columns: ['object', 'property', dryRun ? 'would be' : 'result'], rows }, {});
  for (const [objectType, { conflicts }] of ensured) {
    for (const { name, reason } of conflicts) {
      const way = 'rename or delete that property in HubSpot, and run setup again';
      io.err(`${name} on ${objectType} cannot be used, because ${reason}: ${way}.\n`);
    }
  }
}

function statesOf(done: EnsuredProperties, dryRun: boolean): [name: string, state: string][] {
  const added = new Set(done.optionsAdded);
  const made = (names: readonly string[], state: string): [string, string][] =>
    names.map((name) => [name, added.has(name) ? `${state}, options added` : state]);
  const old = done.optionsAdded.filter((name) => ![...done.created, ...done.revived].includes(name));
  return [
    ...made(done.created, 'created'),
    ...made(done.revived, 'brought back from the archive'),
    ...old.map((name): [string, string] => [name, 'options added']),
    ...done.unchanged.map((name): [string, string] => [name, dryRun ? 'left as it is' : 'already there']),
    ...done.conflicts.map(({ name }): [string, string] => [name, 'conflict']),
  ];
}
