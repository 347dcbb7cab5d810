import { wordsOf } from '#shared/identity/fold.ts';

// The codes that people know and HubSpot's forms use, ISO 3166-2 without the country. Elsewhere there is no such habit.
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

/** Whether states of the country have codes here. */
export function hasStateCodes(country: string | undefined): boolean {
  return country !== undefined && codesByCountry.has(country);
}

/** The code of a state given by its code or name; `undefined` for one that the country does not have. */
export function stateCode(text: string, country: string | undefined): string | undefined {
  return codesByCountry.get(country ?? '')?.get(keyOf(text));
}

function entriesOf(line: string): [string, string][] {
  const [code = '', ...name] = line.split(' ');
  return [
    [keyOf(code), code],
    [keyOf(name.join(' ')), code],
  ];
}

function keyOf(text: string): string {
  return wordsOf(text).join(' ');
}
