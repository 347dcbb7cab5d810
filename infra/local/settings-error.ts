import { CHECK_TEXTS } from '../doctor/texts.ts';
import { type ParamsOf, sentenceOf, type TextParams, type TextRow, textRow } from '../text-row.ts';

/** Remedy for a damaged data folder. */
export const DAMAGED_FOLDER_ADVICE =
  'restore the folder from a copy; without one, set another DATA_DIR, or, on the stand-ins, run npm start -- --fresh';

export const SETTINGS_TEXTS = {
  'unknown-argument': textRow('{problem}', 'see npm start -- --help'),
  'stand-ins-only': textRow(
    '{option} runs only on the stand-ins',
    'omit it, or unset the settings of the real services',
  ),
  'fresh-on-real': textRow(
    '{option} would delete the ledger of the real services',
    'delete the folder by hand if you mean it',
  ),
  'settings-missing': textRow(
    'Some settings of the real services are missing',
    'to use the real services, also set {settings}; to use the stand-ins, unset the others',
  ),
  'no-budget': textRow(
    'With real services nothing starts without a budget',
    'set {setting} to the number of credits that may be spent in a day',
  ),
  'not-a-number': textRow('{setting} must be a whole number from 1, but is "{value}"'),
  'not-a-port': textRow('{setting} must be a number from 1 to 65535, but is "{value}"'),
  'not-an-address': textRow('{setting} must be a URL that starts with https://, but is "{value}"'),
  'address-with-query': textRow('{setting} must be an address without "?" and "#", but is "{value}"'),
  'not-an-id': textRow('{setting} must be the digits of the id, but is "{value}"'),
  'not-visible-ascii': textRow(
    '{setting} must consist of visible ASCII characters only',
    'copy it again, without spaces or line ends',
  ),
  'alert-address-refused': textRow('{setting} {problem}'),
  'port-in-use': textRow(
    '{setting} {port} is in use',
    ({ setting }: { setting: string }) =>
      `choose another, or ${setting === 'PORT' ? 'unset PORT' : `leave out ${setting}`}`,
  ),
  'port-not-allowed': textRow('{setting} {port} needs more rights', 'choose one above 1023'),
  'no-policy-file': textRow('There is no policy file {file}', 'see POLICY, or --policy'),
  'policy-fails': textRow('The policy file {file} fails: {problem}'),
  'properties-not-there': textRow(
    ({ properties, isReal }: { properties: readonly string[]; isReal: boolean }) =>
      `The policy writes ${properties.join(', ')}, which ${isReal ? 'your HubSpot account' : 'the HubSpot stand-in, like a new account,'} does not have`,
    ({ file, isReal }: { file: string; isReal: boolean }) =>
      `${isReal ? 'create it there, or ' : ''}remove it from ${file}; nothing was spent`,
  ),
  'portal-is-another': CHECK_TEXTS['portal-is-another'],
  'checks-failed': textRow(({ text }: { checks: readonly string[]; text: string }) => text),
  'no-books': textRow(
    'There are no books in {folder}',
    'set DATA_DIR to the folder that has them, or run npm start or setup to create them there',
  ),
  'folder-of-other-version': textRow(
    '{file} is of {writer}, which this version does not read',
    'use {writer}, set DATA_DIR to another folder, or, if it has only stand-ins, run npm start -- --fresh',
  ),
  'folder-damaged': textRow('{file} is damaged', DAMAGED_FOLDER_ADVICE),
  'folder-in-use': textRow(
    ({ folder, pid }: { folder: string; pid: number | undefined }) =>
      `${folder} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}`,
    'stop it or set DATA_DIR to another folder',
  ),
  'folder-copied': textRow(
    '{folder} is a copy of {original}, which process {pid} uses now',
    'stop that process; to look at the copy beside it, delete running.json in the copy',
  ),
  'folder-replaced': textRow(
    'The data in {folder} were replaced during this command',
    'run the command again',
  ),
  'folder-not-empty': textRow(
    '{folder} already has data, and --month needs an empty folder',
    'add --fresh to delete the data, or set DATA_DIR to another folder',
  ),
  'folder-refused': textRow(
    '{folder} cannot be created, although its parent folder exists',
    'set DATA_DIR to a folder that you may write to',
  ),
  'journal-damaged': textRow(
    '{file} is damaged',
    'delete it, then run rehearse clean, which finds the records by their mark',
  ),
  'journal-of-other-account': textRow(
    'The last rehearsal left records in the account that rehearsal/hubspot.json of the data folder names',
    'set HUBSPOT_ACCESS_TOKEN to a token of that account, then run rehearse clean',
  ),
};

export type SettingsCode = keyof typeof SETTINGS_TEXTS;

/** A missing or wrong setting. The message names the setting and the remedy. */
export class SettingsError extends Error {
  readonly code: SettingsCode;
  readonly params: TextParams;

  constructor(code: SettingsCode, params: TextParams) {
    super(sentenceOf(SETTINGS_TEXTS[code] as TextRow<TextParams>, params));
    this.code = code;
    this.params = params;
  }
}

export function settingsError<Code extends SettingsCode>(
  code: Code,
  params: ParamsOf<(typeof SETTINGS_TEXTS)[Code]>,
): SettingsError {
  return new SettingsError(code, params as TextParams);
}
