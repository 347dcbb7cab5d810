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
import type { Question, QuestionOperation } from '#shared/questions';
import {
  callOf,
  DataServiceError,
  identifiersIn,
  PARAMETER_KINDS,
  type ParameterKind,
  QUESTION_OPTIONS,
} from '#shared/vendor';
import { checkedParameters } from '#shared/vendor/adapters';
import { CliError } from '../../terminal/exit.ts';
import { argumentRefusal } from '../../terminal/refusals.ts';

/**
 * Builds the question of a lookup in the same normal form as enrichment, so that both share stored answers.
 * @param given values by the data service's parameter names
 * @param names the operator's name of each parameter
 * @throws CliError that names the argument to change, before credits are reserved
 */
export function lookupQuestion(
  operation: QuestionOperation,
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
    ...{ operation, options },
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
export function parameterOf(operation: QuestionOperation, argument: string): string | undefined {
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
    case 'domain': {
      const host = used(cleanHost(given));
      return registrableDomain(host) ?? host;
    }
    case 'personProfileUrl':
    case 'companyPageUrl':
      return used(cleanUrl(profileUrl(given) ?? given));
    case 'emailAddress': {
      const address = used(cleanEmail(given));
      if (mailAddress(address)?.role)
        throw argumentRefusal('identifies-nobody', { option, why: WHY_NOBODY.role });
      return address;
    }
    case 'phoneNumber': {
      const number = used(cleanPhone(given));
      return toE164(number) ?? number;
    }
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
    throw new CliError(`${error.message}.`, { code: 'too-few-criteria' });
  }
}
