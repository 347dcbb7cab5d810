import type { ObjectType } from '#shared/crm';
import {
  type Comparison,
  compareAskedCompany,
  compareBusinessDomains,
  compareCompanies,
  compareCountries,
  compareDomains,
  compareMailboxes,
  comparePages,
  comparePeople,
  compareProfiles,
  compareStatedCompanies,
  compareWebsites,
  compareWithAssociation,
} from './comparisons.ts';
import type { Agreement } from './person-names.ts';

/**
 * Three checks. `identity`: is the answer about this person or company? `employer`: does the answer's employer agree
 * with the addresses and the associated company? `stated`: does the answer's employer agree with the company texts of
 * the record?
 */
export type Subject = 'identity' | 'employer' | 'stated';

type Strength = 'strong' | 'weak' | 'none';

/** One kind of evidence, with its weight if it agrees and its weight if it differs. */
export interface Evidence {
  readonly name: string;
  readonly subject: Subject;
  readonly for: Strength;
  readonly against: Strength;
  readonly compare: (comparison: Comparison) => Agreement;
  /** The reason of a contradiction, for a person. It contains no value of the record or the answer. */
  readonly reason: string;
}

/** Name, subject, weight for, weight against, comparison, and the words for a difference. */
type Row = readonly [
  name: string,
  subject: Subject,
  speaksFor: Strength,
  speaksAgainst: Strength,
  compare: Evidence['compare'],
  shows?: string,
];

const PERSON_ROWS: readonly Row[] = [
  ['profile', 'identity', 'strong', 'none', compareProfiles],
  ['last-name', 'identity', 'weak', 'strong', (given) => comparePeople(given).last, 'with another last name'],
  [
    'first-name',
    'identity',
    'weak',
    'strong',
    (given) => comparePeople(given).first,
    'with another first name',
  ],
  ['mailbox', 'identity', 'strong', 'strong', compareMailboxes, 'whose name is not the one in the address'],
  ['asked-company', 'identity', 'none', 'strong', compareAskedCompany, 'at another company'],
  ['country', 'identity', 'none', 'strong', compareCountries, 'in another country'],
  ['association', 'employer', 'none', 'strong', compareWithAssociation, 'company of the record'],
  ['address', 'employer', 'none', 'strong', compareBusinessDomains, 'address'],
  ['website', 'stated', 'strong', 'weak', compareWebsites, 'website'],
  ['company', 'stated', 'none', 'weak', compareStatedCompanies, 'company name'],
];

/** A company's website is no evidence, because people enter shops and blogs. */
const COMPANY_ROWS: readonly Row[] = [
  ['domain', 'identity', 'strong', 'weak', compareDomains, 'with another domain'],
  ['name', 'identity', 'weak', 'weak', compareCompanies, 'with another name'],
  ['page', 'identity', 'strong', 'weak', comparePages],
];

export const PERSON_EVIDENCE = tableOf('person', PERSON_ROWS);
export const COMPANY_EVIDENCE = tableOf('company', COMPANY_ROWS);

function tableOf(who: string, rows: readonly Row[]): readonly Evidence[] {
  return rows.map(([name, subject, speaksFor, against, compare, shows = '']) => ({
    ...{ name, subject, for: speaksFor, against, compare },
    reason:
      subject === 'identity'
        ? `the answer is about a ${who} ${shows}`
        : `the answer names another employer than the ${shows}`,
  }));
}

const OTHER_FULL_NAME = 'the answer is about a person with another first and last name';
const OTHER_UNDER_DOMAIN = 'the answer has the domain of the record, but the name or page of another company';

const EVIDENCE: Readonly<Record<ObjectType, readonly Evidence[]>> = {
  contacts: PERSON_EVIDENCE,
  companies: COMPANY_EVIDENCE,
};

export interface WeighedEvidence {
  readonly evidence: Evidence;
  readonly agreement: Agreement;
}

export type Verdict =
  /** `unknown`: nothing could be compared, or only evidence without weight. */
  | { readonly kind: 'match' | 'unknown'; readonly found: readonly WeighedEvidence[] }
  | {
      readonly kind: 'contradiction';
      /** The name of the evidence that decided. */
      readonly by: string;
      readonly reason: string;
      readonly found: readonly WeighedEvidence[];
    };

/** Compares an answer with a record. */
export function weighEvidence(subject: Subject, comparison: Comparison): Verdict {
  const rows = EVIDENCE[comparison.record.objectType].filter((each) => each.subject === subject);
  const found = rows.map((evidence) => ({ evidence, agreement: evidence.compare(comparison) }));
  return verdictOf(found);
}

const WEIGHTS: Readonly<Record<Strength, number>> = { strong: 2, weak: 1, none: 0 };

/**
 * Refuses the answer if the evidence against it weighs at least as much as the evidence for it. Unknown evidence has no
 * weight.
 */
export function verdictOf(found: readonly WeighedEvidence[]): Verdict {
  const agreeing = found.filter(({ agreement }) => agreement === 'agree').map(({ evidence }) => evidence);
  const differing = found.filter(({ agreement }) => agreement === 'differ').map(({ evidence }) => evidence);
  const weightFor = sum(agreeing.map((each) => WEIGHTS[each.for]));
  const weightAgainst = sum(differing.map((each) => WEIGHTS[each.against]));
  const [decisive] = differing.filter((each) => each.against !== 'none');
  if (!decisive || weightFor > weightAgainst) return { kind: weightFor > 0 ? 'match' : 'unknown', found };
  return {
    kind: 'contradiction',
    by: decisive.name,
    reason: reasonOf(decisive, { agreeing, differing }),
    found,
  };
}

function reasonOf(
  decisive: Evidence,
  { agreeing, differing }: Readonly<Record<'agreeing' | 'differing', readonly Evidence[]>>,
): string {
  if (agreeing.some(({ name }) => name === 'domain')) return OTHER_UNDER_DOMAIN;
  const isOtherName = decisive.name === 'last-name' && differing.some(({ name }) => name === 'first-name');
  return isOtherName ? OTHER_FULL_NAME : decisive.reason;
}

function sum(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}
