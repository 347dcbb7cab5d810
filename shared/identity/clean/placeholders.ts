import { foldText } from '../fold.ts';
import type { Unusable } from './cleaned.ts';

/** Kinds of texts with words of their own for a missing value. */
export type TextKind = 'person-name' | 'company-name' | 'job-title' | 'place' | 'other';

/** One class of texts that are no values. `fits` sees the text in lower case, without accents and outer punctuation. */
interface Row {
  readonly because: string;
  readonly unusable: Unusable;
  readonly fits: RegExp;
}

const ROWS: Readonly<Record<TextKind | 'every', readonly Row[]>> = {
  every: [
    placeholders(
      'programs write these words for a missing value',
      'null undefined nan nil none n/a n.a n\\a n/d n.d not_available not_applicable not_provided not_specified ' +
        'not_disclosed not_found not_set not_known not_given not_entered no_data no_value no_answer no_information ' +
        'unknown unspecified undisclosed unavailable unassigned missing object_object ref! value! name? div/0! false',
    ),
    placeholders(
      'people write these words for a missing value',
      'tbd tba tbc to_be_determined to_be_announced to_be_confirmed to_be_defined tbd_tbd please_select ' +
        'select_one choose_one please_choose bitte_wahlen bitte_auswahlen keine_angabe k.a unbekannt ' +
        'nicht_bekannt inconnu inconnue non_renseigne non_communique non_specifie desconocido desconocida ' +
        'sin_especificar sin_datos sin_nombre sconosciuto sconosciuta non_specificato desconhecido desconhecida ' +
        'nao_informado onbekend niet_bekend okand ukjent ukendt tuntematon nieznany nieznana brak_danych neznamy ' +
        'ismeretlen necunoscut bilinmiyor unknown_unknown',
    ),
    placeholders(
      'people try a form out with these words',
      'test tests test_test testtest test123 test1 test2 asdf asdfg asdfgh asdfasdf asdasd qwerty qwertz ' +
        'qwe lorem_ipsum dummy example placeholder do_not_use delete_me foobar foo_bar',
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
      'linkedin_member linkedin_user linkedin_mitglied membre_de_linkedin miembro_de_linkedin facebook_user member ' +
        'private_profile private_member private_user hidden_user anonymous anonymous_user anonym anonyme anonimo user',
    ),
    placeholders(
      'the label of the field',
      'first_name last_name firstname lastname first_name_last_name first_last full_name fullname your_name my_name ' +
        'name name_surname surname given_name family_name middle_name fname lname vorname nachname vorname_nachname ' +
        'nom_de_famille prenom prenom_nom nombre apellido apellidos nombre_apellido nombre_y_apellidos cognome ' +
        'nome_cognome sobrenome voornaam achternaam fornavn etternavn fornamn efternamn imie nazwisko',
    ),
    placeholders(
      'the word for no name',
      'no_name noname no_last_name no_first_name no_lastname no_surname nn n.n',
    ),
  ],
  'company-name': [
    placeholders(
      'the label of the field',
      'company company_name companyname your_company your_company_name my_company organization organisation ' +
        'organization_name organisation_name employer employer_name business_name business_name_here firma firmenname ' +
        'unternehmen entreprise nom_de_l_entreprise societe empresa nombre_de_la_empresa azienda nome_azienda bedrijf ' +
        'bedrijfsnaam',
    ),
    placeholders(
      'no company',
      'no_company no_employer na private private_person privat privatperson ' +
        'particulier particular individual personal myself me home various multiple misc other others independent',
    ),
    placeholders(
      'a person who works for no company',
      'self self_employed selfemployed self_employment selbstandig selbststandig freiberuflich freiberufler ' +
        'freelance freelancer free_lance independant independante independent_contractor independent_consultant ' +
        'independent_professional contractor consultant autonomo autonoma por_cuenta_propia libero_professionista ' +
        'lavoratore_autonomo zelfstandig zzp zzper egenforetagare selvstendig',
    ),
    placeholders(
      'a person who does not work',
      'student studentin etudiant etudiante estudiante studente retired retiree pensioner rentner rentnerin im_ruhestand ' +
        'retraite retraitee jubilado jubilada pensionato pensionata gepensioneerd pensionerad pensjonist ' +
        'homemaker housewife career_break sabbatical parental_leave on_leave',
    ),
    placeholders(
      'a person who looks for work',
      'unemployed not_employed not_working between_jobs looking_for_work looking_for_a_job job_seeker jobseeker ' +
        'looking_for_new_opportunities looking_for_opportunities seeking_new_opportunities seeking_opportunities ' +
        'seeking_employment actively_seeking open_to_work open_to_opportunities open_to_new_opportunities arbeitslos ' +
        'arbeitssuchend arbeitsuchend en_recherche_d_emploi demandeur_d_emploi in_cerca_di_lavoro desempleado werkzoekend',
    ),
    placeholders(
      'a company that hides its name',
      'stealth stealth_mode stealth_startup stealth_mode_startup stealth_company confidential confidential_company ' +
        'company_confidential',
    ),
  ],
  'job-title': [
    placeholders(
      'the label of the field',
      'job_title jobtitle title your_title your_job_title position job role occupation titel berufsbezeichnung ' +
        'stellenbezeichnung cargo puesto poste intitule_du_poste funktion functie titolo na blank',
    ),
  ],
  place: [
    placeholders(
      'the label of the field',
      'city your_city city_name town state your_state state_province province region country your_country location ' +
        'address street street_address zip zip_code postal_code stadt ort land ville pays ciudad pais citta blank',
    ),
    placeholders(
      'no place on a map',
      'worldwide world global earth planet_earth international remote everywhere anywhere other others all online',
    ),
  ],
  other: [placeholders('the word of a blank field', 'na blank')],
};

/** Characters that stand in place of hidden ones. A single asterisk is part of some company names. */
const MASK = /[*•●∙▪]{2,}|#{3,}|_{3,}/u;
const REDACTION = /[█▓▒░]|\[(?:redacted|hidden|email[\s\u00a0]protected)\]/iu;

/** Whether a long text only has marks as decoration: they are few beside its letters. */
function isDecorated(text: string): boolean {
  const marks = text.match(/[*•●∙▪#_]/gu) ?? [];
  return marks.length * 4 < (text.match(/\p{L}/gu) ?? []).length;
}

/** Returns why a text is no value; `undefined` if it is one. */
export function whyNoValue(text: string, kind: TextKind): Unusable | undefined {
  if (text.trim() === '') return 'blank';
  if (REDACTION.test(text)) return 'masked';
  if (MASK.test(text) && !(kind === 'other' && isDecorated(text))) return 'masked';
  const key = foldText(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}!?]+$/gu, '');
  if (!/[\p{L}\p{N}]/u.test(key)) return 'placeholder';
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
  return new RegExp(`^(?:${alternatives.join('|')})$`, 'u');
}
