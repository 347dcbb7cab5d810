import { ACCOUNT_TEXTS } from './doctor/texts/account.ts';
import { NO_PARAMS, type ParamsOf, sentenceOf, type TextParams, type TextRow, textRow } from './text-row.ts';

const VALUE = { setting: 'WEBHOOK_PUBLIC_URL', value: 'crm' };
const FOLDER = { folder: '.data/real' };
const PORT = { setting: 'PORT', port: 80 };

/** Remedy for a damaged data folder. */
export const DAMAGED_FOLDER_ADVICE =
  'restore the folder from a copy; without one, set another DATA_DIR, or, on the stand-ins, run npm start -- --fresh';

/** Wrong settings, arguments and folders: what a person can correct before anything starts. */
export const SETTINGS_TEXTS = {
  'unknown-argument': textRow(
    { problem: "Unknown option '--twice'" },
    ({ problem }) => problem,
    'see npm start -- --help',
  ),
  'month-on-real': textRow(
    { option: '--month' },
    '--month runs only on the stand-ins',
    'omit it, or unset the settings of the real services',
  ),
  'fresh-on-real': textRow(
    { option: '--fresh' },
    '--fresh would delete the ledger of the real services',
    'delete the folder by hand if you mean it',
  ),
  'settings-missing': textRow(
    { settings: ['HUBSPOT_ACCESS_TOKEN'] },
    'Some settings of the real services are missing',
    ({ settings }) =>
      `to use the real services, also set ${settings.join(', ')}; to use the stand-ins, unset the others`,
  ),
  'no-budget': textRow(
    { setting: 'CREDITS_PER_DAY' },
    'With real services nothing starts without a budget',
    ({ setting }) => `set ${setting} to the number of credits that may be spent in a day`,
  ),
  'not-a-number': textRow(
    { setting: 'CREDITS_PER_DAY', value: 'many' },
    ({ setting, value }) => `${setting} must be a whole number from 1, but is "${value}"`,
  ),
  'not-a-port': textRow(
    { setting: 'PORT', value: 'http' },
    ({ setting, value }) => `${setting} must be a number from 1 to 65535, but is "${value}"`,
  ),
  'not-an-address': textRow(
    VALUE,
    ({ setting, value }) => `${setting} must be a URL that starts with https://, but is "${value}"`,
  ),
  'address-with-query': textRow(
    VALUE,
    ({ setting, value }) => `${setting} must be an address without "?" and "#", but is "${value}"`,
  ),
  'not-an-id': textRow(
    { setting: 'HUBSPOT_APP_ID', value: 'my app' },
    ({ setting, value }) => `${setting} must be the digits of the id, but is "${value}"`,
  ),
  'not-visible-ascii': textRow(
    { setting: 'HUBSPOT_ACCESS_TOKEN' },
    ({ setting }) => `${setting} must consist of visible ASCII characters only`,
    'copy it again, without spaces or line ends',
  ),
  'alert-address-refused': textRow(
    { setting: 'ALERT_WEBHOOK_URL', problem: 'must be an address that starts with https://' },
    ({ setting, problem }) => `${setting} ${problem}`,
  ),
  'port-in-use': textRow(
    PORT,
    ({ setting, port }) => `${setting} ${port} is in use`,
    ({ setting }) => `choose another, or ${setting === 'PORT' ? 'unset PORT' : `leave out ${setting}`}`,
  ),
  'port-not-allowed': textRow(
    PORT,
    ({ setting, port }) => `${setting} ${port} needs more rights`,
    'choose one above 1023',
  ),
  'no-policy-file': textRow(
    { file: 'infra/policy.ts' },
    ({ file }) => `There is no policy file ${file}`,
    'see POLICY, or --policy',
  ),
  'policy-fails': textRow(
    { file: 'infra/policy.ts', problem: 'budgets are missing' },
    ({ file, problem }) => `The policy file ${file} fails: ${problem}`,
  ),
  'properties-not-there': textRow(
    { properties: ['tier of contacts'], file: 'infra/policy.ts', isReal: true },
    ({ properties, isReal }) =>
      `The policy writes ${properties.join(', ')}, which ${isReal ? 'your HubSpot account' : 'the HubSpot stand-in, like a new account,'} does not have`,
    ({ file, isReal }) => `${isReal ? 'create it there, or ' : ''}remove it from ${file}; nothing was spent`,
  ),
  'portal-is-another': ACCOUNT_TEXTS['portal-is-another'],
  'checks-failed': textRow(
    { checks: ['key-refused'], text: 'https://data.example refuses the key: set DATA_SERVICE_API_KEY' },
    ({ text }) => text,
  ),
  'no-books': textRow(
    FOLDER,
    ({ folder }) => `There are no books in ${folder}`,
    'set DATA_DIR to the folder that has them, or run npm start or setup to create them there',
  ),
  'folder-of-other-version': textRow(
    { file: '.data/real/state.json', writer: 'a newer version' },
    ({ file, writer }) => `${file} is of ${writer}, which this version does not read`,
    ({ writer }) =>
      `use ${writer}, set DATA_DIR to another folder, or, if it has only stand-ins, run npm start -- --fresh`,
  ),
  'folder-damaged': textRow(
    { file: '.data/real/state.json' },
    ({ file }) => `${file} is damaged`,
    DAMAGED_FOLDER_ADVICE,
  ),
  'folder-in-use': textRow(
    { folder: '.data/real', pid: 4711 as number | undefined },
    ({ folder, pid }) => `${folder} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}`,
    'stop it or set DATA_DIR to another folder',
  ),
  'folder-copied': textRow(
    { folder: 'copy', original: '.data/real', pid: 4711 },
    ({ folder, original, pid }) => `${folder} is a copy of ${original}, which process ${pid} uses now`,
    'stop that process; to look at the copy beside it, delete running.json in the copy',
  ),
  'folder-replaced': textRow(
    FOLDER,
    ({ folder }) => `The data in ${folder} were replaced during this command`,
    'run the command again',
  ),
  'folder-not-empty': textRow(
    FOLDER,
    ({ folder }) => `${folder} already has data, and --month needs an empty folder`,
    'add --fresh to delete the data, or set DATA_DIR to another folder',
  ),
  'folder-refused': textRow(
    FOLDER,
    ({ folder }) => `${folder} cannot be created, although its parent folder exists`,
    'set DATA_DIR to a folder that you may write to',
  ),
  'journal-damaged': textRow(
    { file: '.data/rehearsal/hubspot.json' },
    ({ file }) => `${file} is damaged`,
    'delete it, then run rehearse clean, which finds the records by their mark',
  ),
  'journal-of-other-account': textRow(
    NO_PARAMS,
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
  return new SettingsError(code, params);
}
