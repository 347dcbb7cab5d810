import { wordsOf } from './texts.ts';

// ISO 3166-1 alpha-2, in code order, and XK, which ISO leaves to users and everybody uses for Kosovo.
const CODES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
  ).split(' '),
);

// Names that people write in a CRM, for countries whose Unicode names are unusual.
const NAMES: Readonly<Record<string, string>> = {
  CD: 'Democratic Republic of the Congo',
  CG: 'Republic of the Congo',
  CI: 'Ivory Coast',
  GS: 'South Georgia and the South Sandwich Islands',
  HK: 'Hong Kong',
  MM: 'Myanmar',
  MO: 'Macau',
  PS: 'Palestine',
  TR: 'Turkey',
  VC: 'Saint Vincent and the Grenadines',
};

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'U.A.E.'],
  BO: ['Plurinational State of Bolivia'],
  BQ: ['Bonaire, Sint Eustatius and Saba'],
  CD: ['DR Congo', 'DRC'],
  CN: ["People's Republic of China", 'PRC', 'Mainland China'],
  CZ: ['Czech Republic'],
  DE: ['Federal Republic of Germany'],
  FK: ['Falkland Islands (Malvinas)'],
  FM: ['Federated States of Micronesia'],
  GB: ['UK', 'U.K.', 'Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
  GM: ['Republic of The Gambia'],
  HK: ['Hong Kong SAR'],
  HM: ['Heard Island and McDonald Islands'],
  IR: ['Islamic Republic of Iran'],
  KP: ["Democratic People's Republic of Korea"],
  KR: ['Korea', 'Republic of Korea'],
  LA: ["Lao People's Democratic Republic"],
  MD: ['Republic of Moldova'],
  MF: ['Saint Martin (French part)'],
  MK: ['Macedonia', 'Republic of North Macedonia'],
  MM: ['Burma'],
  MO: ['Macao'],
  NL: ['Holland', 'Netherlands (Kingdom of the)'],
  PN: ['Pitcairn'],
  PS: ['State of Palestine'],
  RU: ['Russian Federation'],
  SX: ['Sint Maarten (Dutch part)'],
  SY: ['Syrian Arab Republic'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TW: ['Taiwan, Province of China'],
  TZ: ['United Republic of Tanzania'],
  UM: ['United States Minor Outlying Islands'],
  US: ['USA', 'U.S.A.', 'United States of America', 'America'],
  VA: ['Holy See', 'Holy See (Vatican City State)'],
  VE: ['Bolivarian Republic of Venezuela'],
};

const [names, ...otherLanguages] = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'].map(
  (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
);
/** Made at the first use, because it takes tens of milliseconds. */
let codeByName: ReadonlyMap<string, string> | undefined;

/** An English name has priority over the name of another country in another language. */
function codesBySpelling(): ReadonlyMap<string, string> {
  return new Map(
    [nativeSpellings, englishSpellings].flatMap((spellings) =>
      [...CODES].flatMap((code) => spellings(code).map((name) => [keyOf(name), code] as const)),
    ),
  );
}

/** Returns the ISO code of a country, by its code, its English name or a common variant. */
export function countryCode(text: string): string | undefined {
  codeByName ??= codesBySpelling();
  return codeByName.get(keyOf(text));
}

/** Returns the English name of an ISO code, so that all records have the same spelling. */
export function countryName(code: string): string | undefined {
  if (!CODES.has(code)) return undefined;
  const name = Object.hasOwn(NAMES, code) ? NAMES[code] : names?.of(code);
  return name?.replaceAll(' & ', ' and ').replace(/^St\. /, 'Saint ');
}

/** Returns all spellings that an account may use for a country: its name, its code, variants and other languages. */
export function countrySpellings(code: string): string[] {
  return [...englishSpellings(code), ...nativeSpellings(code)];
}

function englishSpellings(code: string): string[] {
  const others = Object.hasOwn(OTHER_NAMES, code) ? (OTHER_NAMES[code] ?? []) : [];
  return [countryName(code), code, names?.of(code), ...others].filter((name) => name !== undefined);
}

function nativeSpellings(code: string): string[] {
  return otherLanguages.flatMap((language) => language.of(code) ?? []);
}

/** Sorts the words, because lists write "Iran, Islamic Republic of". */
function keyOf(text: string): string {
  const words = wordsOf(text.replace(/[.’']/g, ''));
  return words
    .filter((word) => word !== 'the')
    .sort()
    .join(' ');
}

// State codes that people and HubSpot's forms use: ISO 3166-2 without the country. Other countries rarely use such codes.
const STATES: Readonly<Record<string, string>> = {
  US:
    'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|' +
    'DC District of Columbia|DC Washington DC|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|' +
    'IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|' +
    'MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|' +
    'NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|' +
    'RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|' +
    'WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming',
  CA:
    'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|' +
    'NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|' +
    'SK Saskatchewan|YT Yukon',
  AU:
    'ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|' +
    'SA South Australia|TAS Tasmania|VIC Victoria|WA Western Australia',
};

const codesByCountry = new Map(
  Object.entries(STATES).map(([country, lines]) => [country, new Map(lines.split('|').flatMap(entriesOf))]),
);

/** Whether the table has codes for the country's states. */
export function hasStateCodes(country: string | undefined): boolean {
  return country !== undefined && codesByCountry.has(country);
}

/** Returns the code of a state, by its code or name; `undefined` for an unknown state. */
export function stateCode(text: string, country: string | undefined): string | undefined {
  return codesByCountry.get(country ?? '')?.get(wordsOf(text).join(' '));
}

function entriesOf(line: string): [string, string][] {
  const [code = '', ...name] = line.split(' ');
  return [code, name.join(' ')].map((spelling) => [wordsOf(spelling).join(' '), code]);
}
