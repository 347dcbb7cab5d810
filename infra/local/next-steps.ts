import { command, commandText, type OperatorCommand } from '#shared/kernel';
import type { LocalSettings } from './settings.ts';

/** Commands to try while the system runs on the stand-ins. */
export function nextSteps({
  month,
  dataFolder,
}: Pick<LocalSettings, 'month' | 'dataFolder'>): readonly string[] {
  const environment = environmentOf(dataFolder);
  const before = environment === undefined ? '' : `${environment} `;
  const commands = month ? AFTER_MONTH : AFTER_FIRST_RECORDS;
  return [
    'Try next, in a second terminal:',
    ...commands.map((typed) => `  ${before}npm run -s cli -- ${commandText(typed.command, undefined)}`),
    'docs/guides/laptop.md continues from here.',
  ];
}

/** Environment variables that the commands of this data folder need; `undefined` for the usual folder. */
export function environmentOf(dataFolder = DATA_FOLDER): string | undefined {
  return dataFolder === DATA_FOLDER ? undefined : `DATA_DIR=${shellWord(dataFolder)}`;
}

/** Quotes a text that a shell would otherwise split or expand. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const DATA_FOLDER = '.data';

const AFTER_FIRST_RECORDS: readonly OperatorCommand[] = [
  command('spend'),
  command('spend charges'),
  command('ledger verify'),
  command('runs verify'),
];

const AFTER_MONTH: readonly OperatorCommand[] = [
  command('spend --by purpose'),
  command('doubts list'),
  command('review list'),
  command('backfill list'),
  command('queue status'),
];
