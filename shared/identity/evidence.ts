import type { ObjectType } from '#shared/crm';
import {
  type Comparison,
  compareAskedCompany,
  compareBusinessDomains,
  compareCompanies,
  compareCompanyCountries,
  compareCountries,
  compareDomainLabels,
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
  readonly name: EvidenceName;
  readonly subject: Subject;
  readonly for: Strength;
  readonly against: Strength;
  readonly compare: (comparison: Comparison) => Agreement;
}

type EvidenceName =
  | 'profile'
  | 'last-name'
  | 'first-name'
  | 'mailbox'
  | 'asked-company'
  | 'country'
  | 'association'
  | 'address'
  | 'website'
  | 'company'
  | 'domain'
  | 'domain-label'
  | 'name'
  | 'page';

/** Code of what contradicts. It says nothing about the values. */
type ContradictionCode = `other-${EvidenceName}` | 'other-full-name' | 'other-under-domain';

/** Name, subject, weight for, weight against, and comparison. */
type Row = readonly [
  name: EvidenceName,
  subject: Subject,
  speaksFor: Strength,
  speaksAgainst: Strength,
  compare: Evidence['compare'],
];

const PERSON_ROWS: readonly Row[] = [
  ['profile', 'identity', 'strong', 'none', compareProfiles],
  ['last-name', 'identity', 'weak', 'strong', (given) => comparePeople(given).last],
  ['first-name', 'identity', 'weak', 'strong', (given) => comparePeople(given).first],
  ['mailbox', 'identity', 'strong', 'strong', compareMailboxes],
  ['asked-company', 'identity', 'none', 'strong', compareAskedCompany],
  ['country', 'identity', 'none', 'strong', compareCountries],
  ['association', 'employer', 'none', 'strong', compareWithAssociation],
  ['address', 'employer', 'none', 'strong', compareBusinessDomains],
  ['website', 'stated', 'strong', 'weak', compareWebsites],
  ['company', 'stated', 'none', 'weak', compareStatedCompanies],
];

/** A company's website is no evidence, because people enter shops and blogs. */
const COMPANY_ROWS: readonly Row[] = [
  ['domain', 'identity', 'strong', 'weak', compareDomains],
  ['domain-label', 'identity', 'weak', 'none', compareDomainLabels],
  ['name', 'identity', 'weak', 'weak', compareCompanies],
  ['country', 'identity', 'none', 'strong', compareCompanyCountries],
  ['page', 'identity', 'strong', 'weak', comparePages],
];

export const PERSON_EVIDENCE = PERSON_ROWS.map(evidenceOf);
export const COMPANY_EVIDENCE = COMPANY_ROWS.map(evidenceOf);

function evidenceOf([name, subject, speaksFor, against, compare]: Row): Evidence {
  return { name, subject, for: speaksFor, against, compare };
}

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
      readonly by: EvidenceName;
      readonly reason: ContradictionCode;
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
): ContradictionCode {
  if (agreeing.some(({ name }) => name === 'domain')) return 'other-under-domain';
  const isOtherName = decisive.name === 'last-name' && differing.some(({ name }) => name === 'first-name');
  return isOtherName ? 'other-full-name' : `other-${decisive.name}`;
}

function sum(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}
