import { Option } from 'commander';
import {
  type Cleaned,
  cleanEmail,
  cleanHost,
  cleanPersonName,
  cleanPhone,
  cleanUrl,
  mailAddress,
  profileUrl,
  registrableDomain,
  toE164,
} from '#shared/identity';
import { counted, instant } from '#shared/kernel';
import { LOOKUPS, priceOfQuestion, type Question } from '#shared/questions';
import {
  callOf,
  DataServiceError,
  identifiersIn,
  OPERATIONS,
  type OperationName,
  type OperationRow,
  PARAMETER_KINDS,
  PARAMETER_WORDS,
  type ParameterKind,
  QUESTION_OPTIONS,
} from '#shared/vendor';
import { checkedParameters } from '#shared/vendor/adapters';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT } from '../terminal/exit.ts';
import {
  argumentRefusal,
  departmentRange,
  numberRange,
  repeated,
  text,
  yesOrNo,
} from '../terminal/refusals.ts';
import { CHOSEN_COLUMNS, fieldTable, recordTable, type Sheet, timeOf } from '../terminal/sheet.ts';
import {
  basePrice,
  budgetLeft,
  CUT_NOTE,
  createAsker,
  type GatewayAnswer,
  questionWords,
  type WaitOptions,
  waitMsOf,
  withAskOptions,
} from './asker.ts';

export type LookupName = Exclude<OperationName, 'checkKey'>;

/** `lookup person|profile|company|email|phone`: each looks up one record. An argument is typed without a flag. */
const COMMANDS: readonly [words: string, operation: LookupName, about: string, example: string][] = [
  ['person', 'lookUpPerson', 'a person by name and company', '--domain acme.example --first Jane --email'],
  ['profile <url>', 'personProfile', 'a person by profile page', 'https://network.example/in/jane --email'],
  ['company <domain-or-page>', 'companyProfile', 'a company', 'acme.example --funding'],
  ['email <address>', 'reverseEmail', 'a person by email address', 'jane.roe@acme.example'],
  [
    'phone <number>',
    'reversePhone',
    'a person by phone number, best with its country code',
    '"+1 202 555 0123"',
  ],
];

type LookupOptions = CommandOptions & WaitOptions & Readonly<Record<string, unknown>>;

export function addLookup(program: SheetCommand): void {
  const lookup = program.command('lookup').description('look up one person or company');
  for (const [words, operation, about, example] of COMMANDS) {
    const known = operationOptions(operation);
    const command = lookup.command(words).description(`${about}: ${basePrice(operation)}`);
    for (const [, option] of [...known.parameters, ...known.additions]) command.addOption(option);
    withAskOptions(command)
      .example(example)
      .sheet((run, options: LookupOptions, typed: string | undefined) => {
        const parameter = typed === undefined ? undefined : parameterOf(operation, typed);
        const given = { ...givenIn(known, options), ...(parameter && { [parameter]: typed }) };
        const names = { ...flagsOf(known), ...(parameter && { [parameter]: words.split(' ')[1] ?? '' }) };
        return answer(run, lookupQuestion(operation, given, names), options);
      });
  }
}

async function answer(run: CommandRun, question: Question, options: LookupOptions): Promise<Sheet> {
  const connection = await run.connect();
  const asker = createAsker(connection, { signal: run.signal, waitMs: waitMsOf(options) });
  const credits = (await asker.stored(question)) ? 0 : priceOfQuestion(question);
  if (credits > 0) {
    const left = await budgetLeft(connection, 'manual');
    await run.agree(`${questionWords(question)}: ${counted(credits, 'credit')}, ${left}`);
  }
  const answered = await asker.ask(question, credits);
  const { policy } = connection;
  const { operation } = question;
  const { fromStore, askedAtMs, expiresAtMs, questionKey } = answered;
  const { record, isCut = false } = answered.kind === 'found' ? answered : {};
  const chosen = CHOSEN_COLUMNS[LOOKUPS[operation].about];
  const miss = `No match. It is not looked up again before ${instant(expiresAtMs, policy.timeZone)}.`;
  return {
    json: {
      operation,
      found: record !== undefined,
      record: record ?? null,
      isCut,
      credits: answered.credits,
      fromStore,
      askedAt: timeOf(askedAtMs),
      freshUntil: timeOf(expiresAtMs),
      questionKey,
    },
    ...(record && {
      body: [fieldTable(record, chosen)],
      csv: recordTable([record], chosen, options),
    }),
    notes: [!record && miss, isCut && CUT_NOTE, costLine(answered, policy.timeZone)],
    exit: record ? EXIT.ok : EXIT.notFound,
  };
}

function costLine(
  { credits, fromStore, askedAtMs, expiresAtMs }: GatewayAnswer & { readonly fromStore: boolean },
  timeZone: string,
): string {
  if (!fromStore) return `Cost: ${counted(credits, 'credit')}.`;
  const [asked, until] = [instant(askedAtMs, timeZone), instant(expiresAtMs, timeZone)];
  return `Cost: 0 credits, from the store; asked ${asked}, fresh until ${until} (${timeZone}).`;
}

/**
 * Builds the question of a lookup in the same normal form as enrichment, so that both share stored answers.
 * @param given values by the data service's parameter names
 * @param names the operator's name of each parameter
 * @throws CliError that names the argument to change, before credits are reserved
 */
export function lookupQuestion(
  operation: LookupName,
  given: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): Question {
  const parameters = Object.entries(PARAMETER_KINDS.get(operation) ?? {}).flatMap(([name, kind]) => {
    const value = given[name];
    return typeof value === 'string' && value !== ''
      ? [[name, normalForm(NAMES.has(name) ? 'name' : kind, value, names[name] ?? name)] as const]
      : [];
  });
  const options = QUESTION_OPTIONS.filter((option) => given[`include_${option}`] === true);
  const question: Question = {
    operation,
    options,
    by: identifiersIn(operation, Object.fromEntries(parameters)),
  };
  const { params } = callOf(question);
  refuseUnchecked(() => checkedParameters(operation, params), names);
  return question;
}

/**
 * Name of the parameter that an argument sets. A company argument with a path is a company page. Without a path it is
 * a domain.
 */
export function parameterOf(operation: LookupName, argument: string): string | undefined {
  const isPage = /^(?:https?:\/\/)?[^/?#]+\/[^/?#]/i.test(argument.trim());
  if (operation === 'companyProfile') return isPage ? 'network_url' : 'domain';
  return Object.keys(PARAMETER_KINDS.get(operation) ?? {})[0];
}

/** @throws CliError for a text that identifies no person or company, before credits are spent */
function normalForm(kind: ParameterKind | 'name', given: string, option: string): string {
  const used = ({ value, unusable }: Cleaned): string => {
    if (value !== undefined) return value;
    // The vendor's own reason tells more about the form.
    if (unusable === 'malformed' || unusable === 'blank') return given.trim();
    throw argumentRefusal('identifies-nobody', { option, why: WHY_NOBODY[unusable] });
  };
  switch (kind) {
    case 'name':
      return used(cleanPersonName(given));
    case 'companyDomain':
    case 'domain':
      return registrableDomain(used(cleanHost(given))) ?? used(cleanHost(given));
    case 'personProfileUrl':
    case 'companyPageUrl':
      return used(cleanUrl(profileUrl(given) ?? given));
    case 'emailAddress':
      if (mailAddress(used(cleanEmail(given)))?.role)
        throw argumentRefusal('identifies-nobody', { option, why: WHY_NOBODY.role });
      return used(cleanEmail(given));
    case 'phoneNumber':
      return toE164(used(cleanPhone(given))) ?? used(cleanPhone(given));
    default:
      return given.trim();
  }
}

/** Parameters with a part of a person's name. */
const NAMES: ReadonlySet<string> = new Set(['first_name', 'last_name']);

const WHY_NOBODY = {
  masked: 'parts of it are hidden',
  placeholder: 'it is a sample, or stands for a missing value',
  sentinel: 'it is a sample, or stands for a missing value',
  'shared-host': 'many companies have pages there',
  role: 'several people may read this mailbox',
} as const;

/** @throws CliError that names the argument to change */
export function refuseUnchecked<R>(check: () => R, names: Readonly<Record<string, string>>): R {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof DataServiceError)) throw error;
    const name = error.parameter === undefined ? undefined : (names[error.parameter] ?? error.parameter);
    if (name !== undefined)
      throw argumentRefusal('refused-by-service', { option: name, reason: error.message });
    throw new CliError('too-few-criteria', `${error.message}.`);
  }
}

type OptionsByParameter = readonly (readonly [parameter: string, option: Option])[];

export interface OperationOptions {
  readonly parameters: OptionsByParameter;
  readonly additions: OptionsByParameter;
}

/**
 * Options of an operation, from the table of the data service's parameters. Parameters without a flag are arguments,
 * or set the page.
 */
export function operationOptions(operation: OperationName): OperationOptions {
  const { required = {}, options = {}, page }: OperationRow = OPERATIONS[operation];
  const parameters = Object.entries(PARAMETER_KINDS.get(operation) ?? {}).flatMap(([parameter, kind]) => {
    const [flag, about] = PARAMETER_FLAGS[parameter] ?? [];
    if (flag === undefined) return [];
    const option = optionOf(kind, flag, about ?? '').makeOptionMandatory(parameter in required);
    return [[parameter, option] as const];
  });
  const each = page ? ' a result' : '';
  const additions = Object.entries(options).map(([parameter, credits]) => {
    const flag = `--${parameter.replace(/^include_/, '').replaceAll('_', '-')}`;
    const about = `also ${ADDITIONS[parameter]}, ${counted(credits, 'credit')}${each}`;
    return [parameter, new Option(flag, about)] as const;
  });
  return { parameters, additions };
}

/** The typed values by the data service's parameter names. */
export function givenIn(
  { parameters, additions }: OperationOptions,
  typed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values = [...parameters, ...additions].map(
    ([name, option]) => [name, typed[option.attributeName()]] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

export function flagsOf({ parameters, additions }: OperationOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...parameters, ...additions].map(([name, option]) => [name, option.long ?? name]),
  );
}

/** Placeholder and parser by kind of parameter. All other kinds are text. */
const VALUES: Partial<Record<ParameterKind, readonly [form: string, read: (given: string) => unknown]>> = {
  range: ['min..max', numberRange],
  flag: ['yes|no', yesOrNo],
  departmentRanges: ['dept=min..max', departmentRange],
  companyDomain: ['domain', text],
  companyPageUrl: ['url', text],
};
const REPEATABLE: readonly ParameterKind[] = ['texts', 'domains', 'departmentRanges'];

function optionOf(kind: ParameterKind, flag: string, about: string): Option {
  if (kind === 'department' || kind === 'seniority')
    return new Option(`--${flag} <name>`, about).choices(PARAMETER_WORDS[kind]);
  const [form, read] = VALUES[kind] ?? ['text', text];
  if (!REPEATABLE.includes(kind)) return new Option(`--${flag} <${form}>`, about).argParser(read);
  return new Option(`--${flag} <${form}>`, `${about} (repeatable)`).argParser(repeated(read));
}

/** Flag of each parameter of the data service, without dashes, and its help text. */
const PARAMETER_FLAGS: Readonly<Record<string, readonly [flag: string, about: string]>> = {
  person_titles: ['title', 'current title'],
  person_not_titles: ['not-title', 'not this current title'],
  person_past_titles: ['past-title', 'a title held earlier'],
  person_seniorities: ['seniority', 'such as C-Team, Manager, Director'],
  person_location: ['location', "a person's city, state or country"],
  not_person_location: ['not-location', 'not this city, state or country'],
  person_days_in_current_title_range: ['days-in-title', 'days in the current title'],
  q_organization_domains: ['domain', 'domain of the company'],
  not_q_organization_domains: ['not-domain', 'not this domain'],
  organization_location: ['company-location', "a company's city, state or country"],
  not_organization_location: ['not-company-location', 'no company from there'],
  organization_industry: ['industry', 'industry of the company'],
  organization_not_industry: ['not-industry', 'not this industry'],
  organization_sic_industry: ['sic', 'SIC code'],
  organization_not_sic_industry: ['not-sic', 'not this SIC code'],
  organization_naics_industry: ['naics', 'NAICS code'],
  organization_not_naics_industry: ['not-naics', 'not this NAICS code'],
  organization_revenue_ranges: ['revenue', 'label such as "<$1M" or "$1M-$10M"'],
  organization_technology: ['uses', 'the company uses any of these technologies'],
  organization_all_technology: ['uses-all', 'the company uses all of these'],
  not_organization_technology: ['not-using', 'the company uses none of these'],
  organization_has_web_app: ['has-web-app', 'has a web application'],
  organization_has_mobile_app: ['has-mobile-app', 'has a mobile application'],
  organization_appstore_app_category: ['ios-category', 'category of its iOS app'],
  organization_playstore_app_category: ['android-category', 'category of its Android app'],
  organization_appstore_rating: ['ios-rating', 'rating of its iOS app, 1 to 5'],
  organization_playstore_rating: ['android-rating', 'rating of its Android app, 1 to 5'],
  organization_appstore_review_count: ['ios-reviews', 'reviews of its iOS app'],
  organization_playstore_review_count: ['android-reviews', 'reviews of its Android app'],
  organization_is_website_for_sale: ['website-for-sale', 'its website is for sale'],
  organization_website_traffic_total_monthly: ['traffic', 'visits a month'],
  organization_website_traffic_monthly_organic: ['organic-traffic', 'organic visits a month'],
  organization_website_traffic_monthly_paid: ['paid-traffic', 'paid visits a month'],
  organization_monthly_google_adspend: ['google-adspend', 'USD a month, an estimate'],
  organization_funding_amount: ['funding-amount', 'of the last funding round'],
  organization_funding_total_amount: ['funding-total', 'raised in all'],
  organization_funding_date: ['funding-months-ago', 'months since the last funding round'],
  organization_funding_type: ['funding-type', 'stage, such as Seed or "Series A"'],
  organization_funding_lead_investors: ['lead-investor', 'name of a lead investor'],
  organization_funding_number_of_investors: ['investors', 'investors in the last round'],
  organization_roles_count: ['roles-count', 'people of a department, such as sales=5..50'],
  organization_open_roles_count: ['open-roles-count', 'open positions of a department'],
  company_domain: ['domain', 'domain of the company'],
  company_network_url: ['page', 'company page, instead of the domain'],
  first_name: ['first', 'first name'],
  last_name: ['last', 'last name; with it, the right person is found far more often'],
  title: ['title', 'job title or a part of it'],
  department: ['department', 'department'],
  seniority: ['seniority', 'level'],
  location: ['location', 'city, state or country; for employees also Remote'],
  keywords: ['keywords', 'words in the profile'],
};

const ADDITIONS: Readonly<Record<string, string>> = {
  include_email: 'the email address',
  include_phone: 'the mobile number',
  include_funding: 'funding',
  include_technology: 'technologies',
  include_contacts: 'some of its people',
  funding: 'funding',
  extra: 'extended details',
  technology: 'technologies',
  website_traffic: 'website traffic',
  headcount_growth: 'growth of the staff',
};
