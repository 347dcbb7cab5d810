import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import type { EnsuredProperties } from '#shared/hubspot';
import { command, wording } from '#shared/kernel';
import { checkOf } from '../../doctor/check.ts';
import { leaveMark, readMark } from '../../local/own-installation.ts';
import { ensureEnrichmentProperties } from '../../local/prepare-properties.ts';
import { settlePortal } from '../../local/require-access.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { EXIT } from '../terminal/exit.ts';
import type { Sheet } from '../terminal/sheet.ts';

type SetupOptions = CommandOptions & { readonly dryRun?: boolean };

export function addSetup(program: SheetCommand): void {
  program
    .command('setup')
    .description('create the enrichment properties in HubSpot; safe to repeat')
    .option('--dry-run', 'show what would be created; create nothing')
    .example('--dry-run')
    .sheet(setUp);
}

/** Only `setup` and `npm start` may create a ledger. All other commands need an existing one. */
const BEGINS_BOOKS = { beginsBooks: true };

async function setUp(run: CommandRun, { dryRun = false }: SetupOptions): Promise<Sheet> {
  const { services } = await run.connect(BEGINS_BOOKS);
  if (!dryRun) await settlePortal(services);
  const ensured: [ObjectType, EnsuredProperties][] = [];
  for (const objectType of OBJECT_TYPES)
    ensured.push([objectType, await ensureEnrichmentProperties(services.hubSpot, { objectType, dryRun })]);
  const mark = await (dryRun ? readMark : leaveMark)(services);
  const rows = ensured.flatMap(([objectType, done]) =>
    statesOf(done, dryRun).map(([name, state]) => [objectType, name, state]),
  );
  const conflicts = ensured.flatMap(([objectType, { conflicts: own }]) =>
    own.map(
      ({ name, reason }) =>
        wording`${name} on ${objectType} cannot be used, because ${reason}: in HubSpot, restore it if it is archived, give it the right type, then run: ${command('setup')}`,
    ),
  );
  const { seen, advice } = checkOf('installations', 'another-installation', {});
  return {
    json: { dryRun, ...Object.fromEntries(ensured), mark },
    body: [{ columns: ['object', 'property', dryRun ? 'would be' : 'result'], rows }],
    warnings: [mark === 'other' && `WARNING: ${seen}: ${advice}.`, ...conflicts],
    exit: conflicts.length > 0 ? EXIT.failed : EXIT.ok,
  };
}

function statesOf(done: EnsuredProperties, dryRun: boolean): [name: string, state: string][] {
  const added = new Set(done.optionsAdded);
  const made = (names: readonly string[], state: string): [string, string][] =>
    names.map((name) => [name, added.has(name) ? `${state}, options added` : state]);
  const old = done.optionsAdded.filter((name) => ![...done.created, ...done.revived].includes(name));
  return [
    ...made(done.created, 'created'),
    ...made(done.revived, 'restored from the archive'),
    ...old.map((name): [string, string] => [name, 'options added']),
    ...done.unchanged.map((name): [string, string] => [name, dryRun ? 'left as it is' : 'already there']),
    ...done.conflicts.map(({ name }): [string, string] => [name, 'conflict']),
  ];
}
