import { registrableDomain } from '#shared/identity';
import type { Question, VendorFindings } from '#shared/questions';
import type { DataServiceStep } from '../../../local/rehearsal/data-service-assumptions.ts';
import type { GatewayAnswer } from './asker.ts';
import { lookupQuestion } from './lookup-questions.ts';
import { recordsIn } from './search-pages.ts';
import { pageQuestion } from './search-question.ts';

type Found = Partial<VendorFindings>;

/** An answer of the probe. */
export type ProbeAnswer = GatewayAnswer & {
  readonly fromStore: boolean;
  /** Text of the latest 404. */
  readonly notFound: string | undefined;
};

/** One question of the probe, and the findings that its answer gives. */
export interface ProbeStep {
  readonly name: Exclude<DataServiceStep, 'rate'>;
  readonly about: string;
  readonly question: Question;
  /** Adds to the known findings. */
  readonly learn: (answer: ProbeAnswer, known: Found) => Found;
}

/**
 * Builds the probe's steps: questions about an invented name and about the domain of a known company. The invented
 * name is the same in every probe of an installation. So a repeated probe repeats its questions, and each is paid once.
 */
export function probeSteps({
  inventedWord,
  domain,
}: {
  inventedWord: string;
  domain: string | undefined;
}): ProbeStep[] {
  const unknown = `no-such-firm-${inventedWord}.com`;
  return [
    {
      name: 'miss',
      about: 'a person that does not exist',
      question: lookupQuestion('reverseEmail', { email: `nobody.${inventedWord}@${unknown}` }),
      learn: ({ kind, fromStore, notFound }, { miss = {} }) => {
        if (fromStore) return { miss };
        return { miss: { words: kind === 'no-match' ? (notFound ?? '') : '' } };
      },
    },
    {
      name: 'empty-search',
      about: 'companies of an unused domain',
      question: companiesOf(unknown, 1),
      learn: (answer, { emptySearch }) => {
        const results = recordsOf(answer).length;
        return { emptySearch: { ...(answer.fromStore && emptySearch), results } };
      },
    },
    ...(domain === undefined ? [] : domainSteps(domain)),
  ];
}

function domainSteps(domain: string): ProbeStep[] {
  let first: Answer = [];
  return [
    {
      name: 'domain',
      about: `companies of ${domain}`,
      question: companiesOf(domain, 1),
      learn: (answer) => {
        first = recordsOf(answer);
        return {
          domainMatch: matchOf(first, domain),
          secondPage: undefined,
          exceedsPage: first.length > PAGE_SIZE || undefined,
        };
      },
    },
    {
      name: 'second-page',
      about: 'its second page',
      question: companiesOf(domain, 2),
      learn: (answer) => {
        const second = recordsOf(answer);
        if (second.length === 0) return { secondPage: 'empty' };
        // Results beyond the page belong to the next page, so they do not show that it repeats.
        const ids = first.slice(0, PAGE_SIZE).map(idOf);
        const isRepeated = second.some((record) => ids.includes(idOf(record)));
        return {
          secondPage: isRepeated ? 'repeated' : 'other',
          domainMatch: matchOf([...first, ...second], domain),
        };
      },
    },
  ];
}

/** Results of a page: as few as possible, because each is charged. */
const PAGE_SIZE = 1;

function companiesOf(domain: string, page: number): Question {
  const parameters = { q_organization_domains: [domain] };
  return pageQuestion({ operation: 'searchCompanies', parameters }, { page, per_page: PAGE_SIZE });
}

type Answer = readonly Readonly<Record<string, unknown>>[];

function recordsOf(answer: ProbeAnswer): Answer {
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

function domainsOf({ domain, website, domains }: Answer[number]): string[] {
  const named = [domain, website, ...(Array.isArray(domains) ? domains : [])];
  return named.flatMap((each) => (typeof each === 'string' ? (registrableDomain(each) ?? []) : []));
}
