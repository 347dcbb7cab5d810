import type { LocalSettings } from './settings.ts';

/** What a newcomer can try beside the running stand-ins. The commands work while the system serves. */
export function nextSteps({
  month,
  dataFolder,
}: Pick<LocalSettings, 'month' | 'dataFolder'>): readonly string[] {
  const folder = dataFolder === '.data' ? '' : `DATA_DIR=${dataFolder} `;
  const commands = month ? AFTER_MONTH : AFTER_FIRST_RECORDS;
  return [
    'Try next, in a second terminal:',
    ...commands.map((words) => `  ${folder}npm run -s cli -- ${words}`),
    'docs/guides/laptop.md continues from here.',
  ];
}

const AFTER_FIRST_RECORDS = ['spend', 'spend charges', 'ledger verify', 'runs verify'];

const AFTER_MONTH = ['spend --by purpose', 'doubts list', 'review list', 'backfill list', 'queue status'];
