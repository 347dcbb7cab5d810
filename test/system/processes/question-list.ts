import type { Random } from '#shared/kernel';
import { priceOfQuestion, type Question } from '#shared/questions';
import type { DataServiceSandbox } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';

export interface QuestionList {
  readonly distinct: readonly Question[];
  /** All of them and a third of duplicates, shuffled. */
  readonly all: readonly Question[];
  /** What all distinct ones would cost, credits. */
  readonly costCredits: number;
}

/** Questions of three kinds and prices, each about another company or person; one in ten has no match. */
export function listQuestions(
  { companies, people }: DataServiceSandbox['world'],
  { count, random }: { count: number; random: Random },
): QuestionList {
  const slugs = people.flatMap(({ networkSlug }) => networkSlug ?? []);
  const emails = people.flatMap(({ job }) => job.email ?? []);
  const distinct = Array.from({ length: Math.ceil((count * 2) / 3) }, (_, index) => {
    if (index % 10 === 9) return ask('companyProfile', { domain: `nobody-${index}.com` });
    const nth = Math.floor(index / 3);
    if (index % 3 === 0) return ask('companyProfile', { domain: companies[nth]?.domains[0] ?? '' });
    if (index % 3 === 1) return ask('reverseEmail', { email: emails[nth] ?? '' });
    const profileUrl = `https://www.linkedin.com/in/${slugs[nth]}`;
    return ask('personProfile', { profileUrl }, ['email']);
  });
  const duplicates = distinct.slice(0, count - distinct.length);
  return {
    distinct,
    all: shuffled([...distinct, ...duplicates], random),
    costCredits: distinct.reduce((sum, question) => sum + priceOfQuestion(question), 0),
  };
}

function ask(
  operation: Question['operation'],
  by: Question['by'],
  options: Question['options'] = [],
): Question {
  return { operation, by, options };
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
