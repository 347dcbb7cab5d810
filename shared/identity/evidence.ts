import type { ObjectType } from '#shared/crm';
import {
  type Comparison,
  compareAskedCompany,
  compareBusinessDomains,
  compareCompanies,
  compareCompanySites,
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
 * Three questions. `identity`: is the answer about this person or company? `employer`: does the person work where the
 * addresses and the company in HubSpot say? `stated`: is it the employer that the record's own texts name?
 */
export type Subject = 'identity' | 'employer' | 'stated';

type Strength = 'strong' | 'weak' | 'none';

/** One kind of evidence: what it weighs where it speaks for the answer, and where it speaks against. */
export interface Evidence {
  readonly name: string;
  readonly subject: Subject;
  readonly for: Strength;
  readonly against: Strength;
  readonly compare: (comparison: Comparison) => Agreement;
  /** For a person; holds no value of record or answer. */
  readonly reason: string;
}

const ANOTHER_EMPLOYER = 'the answer names another employer than the';

export const PERSON_EVIDENCE: readonly Evidence[] = [
  {
    ...{ name: 'profile', subject: 'identity', for: 'strong', against: 'none', compare: compareProfiles },
    reason: 'the answer is about a person with another profile',
  },
  {
    ...{ name: 'last-name', subject: 'identity', for: 'weak', against: 'strong' },
    compare: (given) => comparePeople(given).last,
    reason: 'the answer is about a person with another last name',
  },
  {
    ...{ name: 'first-name', subject: 'identity', for: 'weak', against: 'strong' },
    compare: (given) => comparePeople(given).first,
    reason: 'the answer is about a person with another first name',
  },
  {
    ...{ name: 'mailbox', subject: 'identity', for: 'strong', against: 'strong', compare: compareMailboxes },
    reason: 'the answer is about a person whose name is not the one in the address',
  },
  {
    ...{ name: 'asked-company', subject: 'identity', for: 'none', against: 'strong' },
    compare: compareAskedCompany,
    reason: 'the answer is about a person at another company',
  },
  {
    ...{ name: 'country', subject: 'identity', for: 'none', against: 'strong', compare: compareCountries },
    reason: 'the answer is about a person in another country',
  },
  {
    ...{ name: 'association', subject: 'employer', for: 'none', against: 'strong' },
    compare: compareWithAssociation,
    reason: `${ANOTHER_EMPLOYER} company of the record`,
  },
  {
    ...{ name: 'address', subject: 'employer', for: 'none', against: 'strong' },
    compare: compareBusinessDomains,
    reason: `${ANOTHER_EMPLOYER} address`,
  },
  {
    ...{ name: 'website', subject: 'stated', for: 'strong', against: 'weak', compare: compareWebsites },
    reason: `${ANOTHER_EMPLOYER} website`,
  },
  {
    ...{ name: 'company', subject: 'stated', for: 'none', against: 'weak', compare: compareStatedCompanies },
    reason: `${ANOTHER_EMPLOYER} company name of the record`,
  },
];

const OTHER_UNDER_DOMAIN = 'the answer has the domain of the record, and the name or page of another company';

export const COMPANY_EVIDENCE: readonly Evidence[] = [
  {
    ...{ name: 'domain', subject: 'identity', for: 'strong', against: 'weak', compare: compareDomains },
    reason: 'the answer is about a company with another domain',
  },
  {
    ...{ name: 'website', subject: 'identity', for: 'weak', against: 'none', compare: compareCompanySites },
    reason: 'the answer is about a company with another website',
  },
  {
    ...{ name: 'name', subject: 'identity', for: 'weak', against: 'weak', compare: compareCompanies },
    reason: 'the answer is about a company with another name',
  },
  {
    ...{ name: 'page', subject: 'identity', for: 'strong', against: 'weak', compare: comparePages },
    reason: 'the answer is about a company with another page',
  },
];

const EVIDENCE: Readonly<Record<ObjectType, readonly Evidence[]>> = {
  contacts: PERSON_EVIDENCE,
  companies: COMPANY_EVIDENCE,
};

export interface WeighedEvidence {
  readonly evidence: Evidence;
  readonly agreement: Agreement;
}

export type Verdict =
  /** `unknown`: nothing speaks for the answer, and nothing against it. */
  | { readonly kind: 'match' | 'unknown'; readonly found: readonly WeighedEvidence[] }
  | {
      readonly kind: 'contradiction';
      /** The name of the evidence that decided. */
      readonly by: string;
      readonly reason: string;
      readonly found: readonly WeighedEvidence[];
    };

/** Holds an answer against what a record says already. */
export function weighEvidence(subject: Subject, comparison: Comparison): Verdict {
  const rows = EVIDENCE[comparison.record.objectType].filter((each) => each.subject === subject);
  const found = rows.map((evidence) => ({ evidence, agreement: evidence.compare(comparison) }));
  return verdictOf(found, comparison.bySearch);
}

const WEIGHTS: Readonly<Record<Strength, number>> = { strong: 2, weak: 1, none: 0 };

/**
 * The answer is refused where as much speaks against it as for it. What is unknown weighs nothing.
 * @param bySearch the domain, by which the search was asked, then weighs little.
 */
export function verdictOf(found: readonly WeighedEvidence[], bySearch = false): Verdict {
  const speakFor = found.filter(({ agreement }) => agreement === 'agree').map(({ evidence }) => evidence);
  const speakAgainst = found
    .filter(({ agreement }) => agreement === 'differ')
    .map(({ evidence }) => evidence);
  const gain = sum(speakFor.map((each) => WEIGHTS[bySearch && each.name === 'domain' ? 'weak' : each.for]));
  const loss = sum(speakAgainst.map((each) => WEIGHTS[each.against]));
  const [decisive] = speakAgainst.filter((each) => each.against !== 'none');
  if (!decisive || gain > loss) return { kind: gain > 0 ? 'match' : 'unknown', found };
  const isUnderDomain = speakFor.some(({ name }) => name === 'domain');
  const reason = isUnderDomain ? OTHER_UNDER_DOMAIN : decisive.reason;
  return { kind: 'contradiction', by: decisive.name, reason, found };
}

function sum(weights: readonly number[]): number {
  return weights.reduce((total, weight) => total + weight, 0);
}
