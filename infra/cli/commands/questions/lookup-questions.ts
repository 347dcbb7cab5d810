import { DataServiceError, PARAMETER_KINDS, type ParameterKind } from '#shared/data-service';
import { checkedParameters } from '#shared/data-service/adapters';
import { profileKey, registrableDomain, toE164 } from '#shared/identity';
import { callOf, QUESTION_OPTIONS, type Question } from '#shared/questions';
import { CliError } from '../../terminal/exit.ts';
import { argumentRefusal } from '../../terminal/refusals.ts';

/** Operations that return one record. */
export type LookupOperation =
  | 'lookUpPerson'
  | 'personProfile'
  | 'companyProfile'
  | 'reverseEmail'
  | 'reversePhone';

/**
 * Builds the question of a lookup in the same normal form as enrichment, so that both share stored answers.
 * @param given values by the data service's parameter names
 * @param names the operator's name of each parameter
 * @throws CliError that names the argument to change, before credits are reserved
 */
export function lookupQuestion(
  operation: LookupOperation,
  given: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): Question {
  const parameters = Object.entries(PARAMETER_KINDS.get(operation) ?? {}).flatMap(([name, kind]) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? [[name, normalForm(kind, value)] as const] : [];
  });
  const options = QUESTION_OPTIONS.filter((option) => given[`include_${option}`] === true);
  const question: Question = { operation, parameters: Object.fromEntries(parameters), options };
  const { params } = callOf(question);
  refuseUnchecked(() => checkedParameters(operation, params), names);
  return question;
}

/**
 * Name of the parameter that an argument sets. A company argument with a path is a company page. Without a path it is
 * a domain.
 */
export function parameterOf(operation: LookupOperation, argument: string): string | undefined {
  const isPage = /^(?:https?:\/\/)?[^/?#]+\/[^/?#]/i.test(argument.trim());
  if (operation === 'companyProfile') return isPage ? 'network_url' : 'domain';
  return Object.keys(PARAMETER_KINDS.get(operation) ?? {})[0];
}

function normalForm(kind: ParameterKind, given: string): string {
  switch (kind) {
    case 'companyDomain':
    case 'domain':
      return registrableDomain(given) ?? given.trim();
    case 'personProfileUrl':
    case 'companyPageUrl': {
      const key = profileKey(given);
      return key === '' ? '' : `https://${key}`;
    }
    case 'emailAddress':
      return given.trim().toLowerCase();
    case 'phoneNumber':
      return toE164(given) ?? given.trim();
    default:
      return given.trim();
  }
}

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
