import { registrableDomain } from '#shared/identity/web-address.ts';
import type { Question } from '#shared/questions/question.ts';
import { priceOfQuestion } from '#shared/questions/question.ts';
import type { VendorFindings } from '#shared/questions/schemas.ts';
import type { Answered } from './asker.ts';
import { emailQuestion } from './lookup-questions.ts';
import { recordsIn } from './search-pages.ts';
import { pageQuestion } from './search-question.ts';

type Found = Partial<VendorFindings>;

/** One question of the probe, and what its answer teaches. */
export interface ProbeStep {
  readonly about: string;
  readonly question: Question;
  readonly learn: (answer: Answered) => Found;
}

/** @param nobody a word that is in no name. @param domain of a company that the data service knows. */
export function probeSteps({ nobody, domain }: { nobody: string; domain: string | undefined }): ProbeStep[] {
  const unknown = `no-such-firm-${nobody}.com`;
  const first: { ids: string[] } = { ids: [] };
  return [
    {
      about: 'somebody who does not exist',
      question: emailQuestion(`nobody.${nobody}@${unknown}`),
      learn: () => ({ miss: {} }),
    },
    {
      about: 'companies of a domain that nobody has',
      question: companiesOf(unknown, 1),
      learn: (answer) => ({ emptySearch: { results: recordsOf(answer).length } }),
    },
    ...(domain === undefined
      ? []
      : [
          {
            about: `companies of ${domain}`,
            question: companiesOf(domain, 1),
            learn: (answer: Answered) => {
              first.ids = recordsOf(answer).map(idOf);
              return { domainMatch: matchOf(answer, domain) };
            },
          },
          {
            about: 'its second page',
            question: companiesOf(domain, 2),
            learn: (answer: Answered): Found => {
              const ids = recordsOf(answer).map(idOf);
              if (ids.length === 0) return { secondPage: 'empty' };
              const isRepeated = ids.some((id) => first.ids.includes(id));
              const isWider = matchOf(answer, domain) === 'wider';
              return {
                secondPage: isRepeated ? 'repeated' : 'other',
                ...(isWider && { domainMatch: 'wider' }),
              };
            },
          },
        ]),
  ];
}

/** As many as are paid for, dearest possible answer assumed. */
export function affordable(steps: readonly ProbeStep[], maxCredits: number): ProbeStep[] {
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

function recordsOf(answer: Answered): Readonly<Record<string, unknown>>[] {
  return answer.kind === 'found' ? recordsIn(answer) : [];
}

function idOf(record: Readonly<Record<string, unknown>>): string {
  return String(record['id']);
}

function matchOf(answer: Answered, domain: string): NonNullable<VendorFindings['domainMatch']> {
  const domains = recordsOf(answer).map((record) => registrableDomain(String(record['primary_domain'])));
  if (domains.length === 0) return 'nothing';
  return domains.every((each) => each === domain) ? 'exact' : 'wider';
}
