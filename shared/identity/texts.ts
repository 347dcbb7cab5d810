import { decodeHTMLStrict } from 'entities/decode';

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Returns the text in lower case, without accents and with single spaces, so that spellings of one text are equal. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the words of a label or an internal value, without "and", so that `R_AND_D` and `R & D` are equal. */
export function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'and');
}

/**
 * Why a given value is no value:
 * - `blank`: nothing was given;
 * - `placeholder`: a word or a sample that stands for a missing value, such as `n/a` or `Job Title`;
 * - `masked`: parts are hidden, such as `m***h@acme.example`;
 * - `sentinel`: a number or a date that means "unknown", such as 0 or 1900-01-01;
 * - `malformed`: a damaged value, or one of another kind;
 * - `shared-host`: a domain of a mail provider or of pages of many companies.
 */
export type Unusable = 'blank' | 'placeholder' | 'masked' | 'sentinel' | 'malformed' | 'shared-host';

/** A value without dirt, or the reason why there is none. */
export type Cleaned<Value = string> =
  | { readonly value: Value; readonly unusable?: undefined }
  | { readonly value?: undefined; readonly unusable: Unusable };

export function clean<Value>(value: Value): Cleaned<Value> {
  return { value };
}

export function unusable(why: Unusable): Cleaned<never> {
  return { unusable: why };
}

/** A longer text of one line is no name, title or address. */
export const MAX_LINE_CHARS = 2_000;
/** HubSpot stores no longer text in a property. */
export const MAX_TEXT_CHARS = 65_536;

/**
 * Returns a text in one line, without markup, invisible characters and needless white space. A text that is too long
 * stays too long, but is cut, because some patterns need the square of its length.
 */
export function plainText(text: string): string {
  const plain = text.length > MAX_TEXT_CHARS ? text : readable(text).replace(/\s+/g, ' ').trim();
  return plain.slice(0, MAX_LINE_CHARS + 1);
}

/** Like `plainText`, but keeps line breaks and paragraphs. */
export function plainParagraphs(text: string): string {
  return readable(text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Texts are encoded twice when they pass two programs. */
const MAX_ENCODINGS = 3;

function readable(text: string): string {
  let decoded = text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  decoded = decoded.replace(/\\[nrt](?!\p{Ll})/gu, '\n').replace(BUILDER_PARTS, ' ');
  for (let passes = 0; passes < MAX_ENCODINGS; passes += 1) {
    const next = decodeHTMLStrict(withoutTags(decoded));
    if (next === decoded) break;
    decoded = next;
  }
  return withRepairedBytes(decoded).toWellFormed().replace(INVISIBLE, '').normalize('NFC');
}

/** Escapes of JSON that were not decoded. */
const ESCAPED = /\\u([0-9a-f]{4})/gi;

/** Marks of XML and of site builders around a text: `<![CDATA[...]]>`, `[vc_row]`. */
const BUILDER_PARTS = /<!\[CDATA\[|\]\]>|\[\/?[a-z]+_[a-z_][^[\]]*\]/g;

const BLOCKS =
  'address|article|blockquote|br|div|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|td|th|tr|ul';
const INLINES =
  'a|abbr|b|big|body|button|center|cite|code|em|font|form|head|html|i|iframe|img|input|label|link|mark|meta|nav|' +
  's|small|span|strike|strong|sub|sup|svg|tbody|thead|u|video';

/** Only the names of HTML count, because a text can hold `<Acme>` or `a < b`. */
const BLOCK_TAG = new RegExp(`</?(?:${BLOCKS})(?:\\s[^<>]*)?/?>`, 'gi');
const INLINE_TAG = new RegExp(`</?(?:${INLINES})(?:\\s[^<>]*)?/?>`, 'gi');
/** What begins again before its end has none, so that a row of beginnings is read once. */
const HIDDEN_PARTS = /<!--(?:(?!<!--)[\s\S])*?-->|<(script|style)\b[^<>]*>(?:(?!<\1\b)[\s\S])*?<\/\1\s*>/gi;

function withoutTags(text: string): string {
  return text.includes('<')
    ? text.replace(HIDDEN_PARTS, ' ').replace(BLOCK_TAG, '\n').replace(INLINE_TAG, '')
    : text;
}

/**
 * Control characters except white space, characters that change the direction of the text after them, characters without
 * width except joiners inside words, private characters of icon fonts, and soft hyphens.
 */
const INVISIBLE =
  /[^\P{Cc}\n\r\t]|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\p{Co}/gu;

const WINDOWS_1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
    (character, byte) => [character, byte],
  ),
);

/** Repairs UTF-8 that was read as Windows-1252: `MÃ¼ller` becomes `Müller`. Other texts stay as they are. */
function withRepairedBytes(text: string): string {
  if (!/[Â-ß][\u0080-¿–-™]|[à-ï]./u.test(text)) return text;
  const bytes = [...text].map((character) => WINDOWS_1252.get(character));
  if (bytes.includes(undefined)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte ?? 0));
  } catch (error) {
    if (error instanceof TypeError) return text;
    throw error;
  }
}

/** Kinds of texts with words of their own for a missing value. */
export type TextKind =
  | 'person-name'
  | 'company-name'
  | 'job-title'
  | 'place'
  | 'industry'
  | 'paragraphs'
  | 'other';

/** One class of texts that are no values. `fits` sees the text in lower case, without accents and outer punctuation. */
interface Row {
  readonly because: string;
  readonly unusable: Unusable;
  readonly fits: RegExp;
}

/** Labels of fields, for the rows that name a missing value by its field. */
const FIELD =
  '(?:(?:job |company |first |last |full |user |business |site )?(?:name|title)|job|role|position|company|employer|' +
  'organi[sz]ation|business|city|state|country|address|street|region|province|location|industry|description|surname|' +
  'profile|phone|e[ -]?mail|website|option|value|text|data|information|titel|firma|unternehmen|ort|stadt|adresse|' +
  'beschreibung|cargo|puesto|empresa|ciudad|nombre|poste|titre|entreprise|societe|ville|nom|titolo|azienda|citta|nome|' +
  'functie|bedrijf|plaats)';

/** A person who looks for work. */
const SEEKERS = [
  row(
    'placeholder',
    'a person who looks for work, in English',
    /^actively (?:looking|seeking)$|^(?:actively )?(?:looking for|searching for|seeking|exploring|open to|available for|between)(?: (?:an?|my|the|new|next|other|exciting|full[ -]time))* (?:opportunit(?:y|ies)|challenges?|roles?|jobs?|positions?|work|employment)$/,
  ),
  placeholders(
    'a person who looks for work',
    'unemployed not_employed not_working job_seeker available_immediately arbeitslos arbeitssuchend ' +
      'arbeitsuchend en_recherche_d_emploi a_la_recherche demandeur_d_emploi in_cerca_di_lavoro ' +
      'desempleado werkzoekend',
  ),
];

const BLANK = placeholders('the word of a blank field', 'na blank');

const ROWS: Readonly<Record<TextKind | 'every', readonly Row[]>> = {
  every: [
    row(
      'placeholder',
      'a field that a program or a person left open is named: `Unknown city`, `No title`, `Add a description`',
      new RegExp(
        `^(?:(?:no|unknown|unnamed|untitled|undisclosed|missing|sample|dummy|default|demo|test|current|your|some|a) ` +
          `(?:own )?${FIELD}|(?:please )?(?:select|choose|pick)(?: an?| your| one| the)?(?: ${FIELD})?|` +
          `(?:please )?(?:add|enter|type|edit|insert)(?: an?| your| the)? (?:${FIELD}|here)(?: here)?|${FIELD}:? (?:unknown|hidden|missing|n/a|here)|(?:ohne|keine?|sin|sans|pas de|senza|geen) ${FIELD})$`,
      ),
    ),
    row(
      'placeholder',
      'a sentence says that there is none: `Title not found`, `None provided`',
      /^(?:(?:[a-z]+ ){0,3}(?:is )?not|none) (?:yet )?(?:available|specified|provided|listed|found|disclosed|known|mentioned|applicable|given|entered|set|in list|of the above)(?: at this time)?$|^(?:please|to be) updated?$|^no (?:[a-z]+ )?(?:data|information|details|content|description|answer)(?: (?:available|provided|found))?$/,
    ),
    row(
      'placeholder',
      'it points elsewhere, or is a button: `See website`, `Show more`',
      /^(?:see|view|visit|check|show|read|load|click)(?: my| our)? (?:profile|web ?site|below|above|more|details|here)$|^same(?: as above)?$/,
    ),
    row('placeholder', 'how near a member of the network is', /^(?:1st|2nd|3rd)\+?$/),
    placeholders(
      'programs write these words for a missing value',
      'null undefined nan nil none n/a n.a n\\a n/d n.d unknown unspecified undisclosed unavailable ' +
        'unassigned missing ref! value! name? div/0! false',
    ),
    placeholders(
      'people write these words for a missing value',
      'tbd tba tbc to_be_determined to_be_announced to_be_confirmed to_be_defined bitte_wahlen ' +
        'bitte_auswahlen keine_angabe k.a unbekannt nicht_bekannt n.v.t ohne keine kein aucun aucune ' +
        'ninguno ninguna nessuno geen inconnu inconnue non_renseigne non_communique non_specifie ' +
        'desconocido desconocida sin_especificar sin_datos sconosciuto sconosciuta non_specificato ' +
        'desconhecido desconhecida nao_informado onbekend niet_bekend okand ukjent ukendt tuntematon ' +
        'nieznany nieznana brak_danych neznamy ismeretlen necunoscut bilinmiyor',
    ),
    placeholders(
      'people try a form out with these words',
      'test tests testtest test123 test1 test2 asdf asdfg asdfgh asdfasdf asdasd qwerty qwertz qwe ' +
        'lorem_ipsum dummy example placeholder max_mustermann erika_mustermann do_not_use delete_me foobar',
    ),
    row('placeholder', 'an X for each field that was not filled', /^x{2,}(?: x{2,})*$/),
    row(
      'masked',
      'the source hides the value',
      words('redacted hidden locked masked protected email_protected'),
    ),
  ],
  'person-name': [
    row('placeholder', 'one key, held down', /^(\p{L})\1{2,}$/u),
    placeholders(
      'networks show these words for a person who hides the name',
      'linkedin_member linkedin_user linkedin_mitglied membre_de_linkedin miembro_de_linkedin ' +
        'facebook_user member anonymous anonym anonyme anonimo user',
    ),
    placeholders(
      'the label of the field',
      'first_name last_name first_name_last_name first_last full_name my_name name name_surname surname ' +
        'given_name family_name middle_name fname lname vorname nachname vorname_nachname nom_de_famille ' +
        'prenom prenom_nom nombre apellido apellidos nombre_apellido nombre_y_apellidos cognome ' +
        'nome_cognome sobrenome voornaam achternaam fornavn etternavn fornamn efternamn imie nazwisko',
    ),
    placeholders(
      'an office, or an account without a person',
      'admin administrator info support contact profile account restricted deleted sir_madam fnu lnu',
    ),
    row(
      'placeholder',
      "an account that is closed, hidden or nobody's: `Deactivated User`",
      /^(?:deactivated|deleted|suspended|archived|inactive|former|private|hidden|anonymous|unknown|guest|test) (?:user|member|account|contact|profile|employee|caller)$/,
    ),
    placeholders('the word for no name', 'no_name no_name_given n_n'),
  ],
  'company-name': [
    placeholders(
      'the label of the field',
      'company company_name my_company organization organisation organization_name organisation_name ' +
        'employer employer_name business_name firma firmenname unternehmen entreprise nom_de_l_entreprise ' +
        'societe empresa nombre_de_la_empresa azienda nome_azienda bedrijf bedrijfsnaam',
    ),
    placeholders('a legal form alone', 'inc llc ltd limited gmbh plc corp corporation sarl srl pty_ltd'),
    placeholders(
      'no company',
      'na private private_person privat privatperson particulier particular individual personal myself ' +
        'me various multiple misc other others independent mein_unternehmen mi_empresa mon_entreprise ' +
        'private_sector private_company own_business my_own_company my_own_business nda ' +
        'fortune_500_company various_companies ehemalig ehemals ex former company_a abc_company ' +
        'xyz_company',
    ),
    placeholders(
      'a person who works for no company',
      'self self_employed self_employment selbstandig selbststandig freiberuflich freiberufler freelance ' +
        'freelancer independant independante independent_contractor independent_consultant ' +
        'independent_professional self_employed_consultant self_employed_contractor contractor consultant ' +
        'autonomo autonoma por_cuenta_propia libero_professionista lavoratore_autonomo zelfstandig zzp ' +
        'zzper egenforetagare selvstendig',
    ),
    placeholders(
      'a person who does not work',
      'student studentin etudiant etudiante estudiante studente retired retiree pensioner rentner ' +
        'rentnerin im_ruhestand retraite retraitee jubilado jubilada pensionato pensionata gepensioneerd ' +
        'pensionerad pensjonist homemaker housewife career_break sabbatical gap_year garden_leave ' +
        'maternity_leave paternity_leave parental_leave on_leave',
    ),
    ...SEEKERS,
    row(
      'placeholder',
      'a company that hides its name, also with its branch: `Stealth AI Startup`',
      /^(?:company confidential|empresa confidencial|confidentiel|hidden company)$|^confidential(?: company| client| employer)?(?: [(-].*)?$|^stealth(?:[ -]mode)?(?:(?: (?:ai|b2b|saas|tech|fintech|health|biotech|early[ -]stage))* (?:start[ -]?up|company|venture)(?: [(-].*)?)?$/,
    ),
    row(
      'placeholder',
      'the title of a page that is no company',
      /^(?:attention required!?(?: \| cloudflare)?|just a moment|just another wordpress site|access denied|(?:40[34] )?(?:forbidden|not found)|page not found|index of|domain for sale|coming soon|under construction|untitled|home(?: ?page)?|startseite|welcome(?: to nginx)?!?|web ?site|default web site page|apache2 .*default page|error|loading|log ?in|site title|my site)$/,
    ),
  ],
  'job-title': [
    placeholders(
      'the label of the field',
      'job_title title position job role occupation titel berufsbezeichnung stellenbezeichnung cargo ' +
        'puesto poste intitule_du_poste funktion functie titolo na blank untitled present',
    ),
    ...SEEKERS,
    row('malformed', 'a title has a letter, and an end', /^[^\p{L}]*$|^(?:works|employed|employee) at$/u),
  ],
  place: [
    placeholders(
      'the label of the field',
      'city city_name town state state_province province region country location address street ' +
        'street_address zip zip_code postal_code postcode postleitzahl plz address_1 address_line_1 stadt ' +
        'ort land bundesland provinz ville pays ciudad pais provincia citta blank greater_area',
    ),
    placeholders(
      'no place on a map',
      'worldwide world global earth planet_earth international remote everywhere anywhere other others ' +
        'all online online_only virtual virtual_office hybrid home_office work_from_home internet ' +
        'nationwide headquarters hq registered_office multiple_locations various_locations foreign ' +
        'out_of_state remote_us zz confidential anytown',
    ),
    row(
      'placeholder',
      'forms of one country offer these for all others',
      /^(?:(?:n\/a|other) - )?(?:outside(?: of)?|non|not(?: in)?)[ -](?:the )?(?:us|usa|uk|eu|canada)(?:\/canada)?$|^usa only$/,
    ),
    row(
      'placeholder',
      'an address of samples',
      /^(?:123|1234) (?:main|any|test|fake|street)\b.*$|^\d+ (?:test|street name|sample)\b.*$|^musterstr(?:asse|\.)? \d+$/,
    ),
  ],
  industry: [
    placeholders(
      'no branch of industry',
      'na blank industry industries all_industries other others miscellaneous misc various general',
    ),
  ],
  other: [BLANK],
  paragraphs: [BLANK],
};

/** Characters that stand in place of hidden ones. A single asterisk is part of some company names. */
const MASK = /[*•●∙▪]{2,}|#{3,}|_{3,}/u;
/** A variable that a program did not replace, or the blank cell of a spreadsheet. */
const VARIABLE = /^(?:\{\{.*\}\}|\$?\{[^{}]*\}|\[[^[\]]*\]|<[^<>]*>|%\w+%|\(blank\))$/iu;
const REDACTION = /[█▓▒░]|\[(?:redacted|hidden|email[\s\u00a0]protected)\]/iu;

/** Whether a long text only has marks as decoration: they are few beside its letters. */
function isDecorated(text: string): boolean {
  const marks = text.match(/[*•●∙▪#_]/gu) ?? [];
  return marks.length * 4 < (text.match(/\p{L}/gu) ?? []).length;
}

/** Longer texts are no words for a missing value. */
const MAX_WORDS_CHARS = 300;

/** Returns why a text is no value; `undefined` if it is one. */
export function whyNoValue(text: string, kind: TextKind): Unusable | undefined {
  if (text.trim() === '') return 'blank';
  if (kind !== 'paragraphs' && text.length > MAX_LINE_CHARS) return 'malformed';
  if (REDACTION.test(text)) return 'masked';
  const isDecoration = (kind === 'paragraphs' || kind === 'other') && isDecorated(text);
  if (MASK.test(text) && !isDecoration) return 'masked';
  if (VARIABLE.test(text.trim())) return 'placeholder';
  const key = text.length > MAX_WORDS_CHARS ? text : bareKey(text);
  if (!/[\p{L}\p{N}]/u.test(key)) return 'placeholder';
  if (key.length > MAX_WORDS_CHARS) return undefined;
  // `Freelance / Self-employed` and `N/A - retired` are two words for one missing value.
  const parts = key
    .replace(/\bn\/a\b/g, 'none')
    .split(/\s*[/|,;()]\s*|\s[-–—]\s/)
    .map(bareKey)
    .filter(Boolean);
  const [whole, ...reasons] = [key, ...parts].map((part) => whyNoKey(part, kind));
  return whole ?? (reasons.length > 1 && !reasons.includes(undefined) ? reasons[0] : undefined);
}

/** Lower case, without outer punctuation, without a repetition and without what only shades the word. */
function bareKey(text: string): string {
  return foldText(text)
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}!?]+$/gu, '')
    .replace(/^(?:currently|presently|temporarily|semi|fully)[ -]+/, '')
    .replace(/(?<=\p{L})[_-](?=\p{L})/gu, ' ')
    .replace(/^(.+?)(?:[ ,/]+\1)+$/u, '$1');
}

function whyNoKey(key: string, kind: TextKind): Unusable | undefined {
  return [...ROWS.every, ...ROWS[kind]].find(({ fits }) => fits.test(key))?.unusable;
}

function placeholders(because: string, list: string): Row {
  return row('placeholder', because, words(list));
}

function row(unusable: Unusable, because: string, fits: RegExp): Row {
  return { because, unusable, fits };
}

/** A pattern for whole texts. `_` stands for any separator of words. */
function words(list: string): RegExp {
  const alternatives = list
    .split(' ')
    .map((word) => word.replace(/[.\\/?]/g, '\\$&').replaceAll('_', "[\\s_./'’-]*"));
  return new RegExp(`^(?:${alternatives.join('|')})[!?]*$`, 'u');
}
