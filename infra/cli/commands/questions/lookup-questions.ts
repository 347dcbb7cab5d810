import { DataServiceError } from '#shared/data-service';
import { checkedParameters } from '#shared/data-service/adapters';
import { profileKey, registrableDomain, toE164 } from '#shared/identity';
import { callOf, type Question, type QuestionOption } from '#shared/questions';
import { usageError } from '../../terminal/exit.ts';

export type Options = Partial<Readonly<Record<QuestionOption, boolean>>>;

export interface PersonWords {
  readonly domain: string;
  readonly first: string;
  readonly last?: string;
  readonly title?: string;
  readonly location?: string;
}

/** By name and company. All lookups are put into the normal form in which enrichment asks, so that answers are shared. */
export function personQuestion(words: PersonWords, options: Options): Question {
  const { domain, first, last, title, location } = words;
  const given = {
    company_domain: registrableDomain(domain) ?? domain.trim(),
    first_name: first.trim(),
    last_name: last?.trim(),
    title: title?.trim(),
    location: location?.trim(),
  };
  const parameters = present(given);
  return checked(
    { operation: 'lookUpPerson', parameters, options: chosen(options, ['email', 'phone']) },
    {
      company_domain: '--domain',
      first_name: '--first',
    },
  );
}

export function profileQuestion(url: string, options: Options): Question {
  const parameters = { network_url: pageOf(url) };
  const question = {
    operation: 'personProfile',
    parameters,
    options: chosen(options, ['email', 'phone']),
  } as const;
  return checked(question, { network_url: '<url>' });
}

/** What has a path is taken for a company page, anything else for a domain. */
export function companyQuestion(text: string, options: Options): Question {
  const isPage = /^(?:https?:\/\/)?[^/?#]+\/[^/?#]/i.test(text.trim());
  const parameters: Question['parameters'] = isPage
    ? { network_url: pageOf(text) }
    : { domain: registrableDomain(text) ?? text.trim() };
  const wanted = chosen(options, ['funding', 'technology', 'contacts']);
  const question = { operation: 'companyProfile', parameters, options: wanted } as const;
  return checked(question, { network_url: '<domain-or-page>', domain: '<domain-or-page>' });
}

export function emailQuestion(address: string): Question {
  const parameters = { email: address.trim().toLowerCase() };
  return checked({ operation: 'reverseEmail', parameters, options: [] }, { email: '<address>' });
}

export function phoneQuestion(number: string): Question {
  const parameters = { phone: toE164(number) ?? number.trim() };
  return checked({ operation: 'reversePhone', parameters, options: [] }, { phone: '<number>' });
}

function pageOf(url: string): string {
  const key = profileKey(url);
  return key === '' ? '' : `https://${key}`;
}

function present(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(given).flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  return Object.fromEntries(entries);
}

function chosen(options: Options, known: readonly QuestionOption[]): QuestionOption[] {
  return known.filter((option) => options[option] === true);
}

/** Refused here, before anything is reserved. @param names what the operator calls each parameter. */
function checked(question: Question, names: Readonly<Record<string, string>>): Question {
  const { operation, params } = callOf(question);
  refuseUnchecked(() => checkedParameters(operation, params), names);
  return question;
}

/** @throws CliError that names the argument to change */
export function refuseUnchecked<R>(check: () => R, names: Readonly<Record<string, string>>): R {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof DataServiceError)) throw error;
    const name = error.parameter === undefined ? undefined : (names[error.parameter] ?? error.parameter);
    throw usageError(name === undefined ? `${error.message}.` : `${name}: ${error.message}.`);
  }
}
