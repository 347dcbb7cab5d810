import { registrableDomain } from '#shared/identity';
import { priceOfQuestion, type Question, type VendorFindings } from '#shared/questions';
import type { GatewayAnswer } from './asker.ts';
import { lookupQuestion } from './lookup-questions.ts';
import { recordsIn } from './search-pages.ts';
import { pageQuestion } from './search-question.ts';

type Found = Partial<VendorFindings>;

/** One question of the probe, and the findings that its answer gives. */
export interface ProbeStep {
  readonly about: string;
  readonly question: Question;
  readonly learn: (answer: GatewayAnswer) => Found;
}

/** Builds the probe's steps: questions about an invented name and about the domain of a known company. */
export function probeSteps({
  unusedWord,
  domain,
}: {
  unusedWord: string;
  domain: string | undefined;
}): ProbeStep[] {
  const unknown = `no-such-firm-${unusedWord}.com`;
  let first: Answer = [];
  return [
    {
      about: 'a person that does not exist',
      question: lookupQuestion('reverseEmail', { email: `nobody.${unusedWord}@${unknown}` }),
      learn: () => ({ miss: {} }),
    },
    {
      about: 'companies of an unused domain',
      question: companiesOf(unknown, 1),
      learn: (answer) => ({ emptySearch: { results: recordsOf(answer).length } }),
    },
    ...(domain === undefined
      ? []
      : [
          {
            about: `companies of ${domain}`,
            question: companiesOf(domain, 1),
            learn: (answer: GatewayAnswer) => {
              first = recordsOf(answer);
              return { domainMatch: matchOf(first, domain) };
            },
          },
          {
            about: 'its second page',
            question: companiesOf(domain, 2),
            learn: (answer: GatewayAnswer): Found => {
              const second = recordsOf(answer);
              if (second.length === 0) return { secondPage: 'empty' };
              const ids = first.map(idOf);
              const isRepeated = second.some((record) => ids.includes(idOf(record)));
              return {
                secondPage: isRepeated ? 'repeated' : 'other',
                domainMatch: matchOf([...first, ...second], domain),
              };
            },
          },
        ]),
  ];
}

/** The first steps whose highest prices together do not exceed `maxCredits`. */
export function affordableSteps(steps: readonly ProbeStep[], maxCredits: number): ProbeStep[] {
  let left = maxCredits;
  return steps.filter(({ question }) => {
    const price = priceOfQuestion(question);
    if (price > left) return false;
    left -= price;
    return true;
  });
}

function companiesOf(domain: string, page: number): Question {
  const parameters = { q_organization_domains: [domain] };
  return pageQuestion({ operation: 'searchCompanies', parameters }, { page, per_page: 1 });
}

type Answer = readonly Readonly<Record<string, unknown>>[];

function recordsOf(answer: GatewayAnswer): Answer {
  return answer.kind === 'found' ? recordsIn(answer) : [];
}

function idOf(record: Readonly<Record<string, unknown>>): string {
  return String(record['id']);
}

/**
 * Decides how a search by domain matches. A company can have several domains, and a result names only the first. So
 * one company under another domain proves nothing. A second company shows that the search is wider.
 */
function matchOf(records: Answer, domain: string): NonNullable<VendorFindings['domainMatch']> {
  if (records.length === 0) return 'nothing';
  if (records.every((record) => domainsOf(record).includes(domain))) return 'exact';
  return new Set(records.map(idOf)).size === 1 ? 'other-domain' : 'wider';
}

function domainsOf({ primary_domain, website_url, domains }: Answer[number]): string[] {
  const named = [primary_domain, website_url, ...(Array.isArray(domains) ? domains : [])];
  return named.flatMap((each) => (typeof each === 'string' ? (registrableDomain(each) ?? []) : []));
}
