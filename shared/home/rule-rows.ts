import { OBJECT_TYPES, type ObjectType, type PropertyDefinitions } from '#shared/crm';
import { worstCaseOfRefresh } from '#shared/enrichment';
import {
  admissionsOf,
  type ComparisonName,
  comparisonIn,
  type Policy,
  propertyOf,
  type WhomCondition,
} from '#shared/field-policy';
import { counted } from '#shared/kernel';
import { type NamedDay, type YieldCount, yieldsOf } from '#shared/records';
import { type SpendReport, WITHOUT_RULE } from '#shared/spend';
import type { HomeView } from './schemas.ts';

export interface RuleInput {
  readonly policy: Policy;
  /** Properties of HubSpot; absent while HubSpot does not answer. */
  readonly definitions: Readonly<Partial<Record<ObjectType, PropertyDefinitions>>>;
  /** The last 30 days. */
  readonly days: readonly NamedDay[];
  /** Credits and match rates of these days. */
  readonly report: Pick<SpendReport, 'yields' | 'total'>;
}

/** Builds the rules of the policy in their order, each with its figures of 30 days, and the properties that it may write. */
export function rulesOf({ policy, definitions, days, report }: RuleInput): HomeView['policy'] {
  const yields = yieldsOf(days);
  const isOnlyUnruled = OBJECT_TYPES.filter((objectType) => !policy.whom[objectType]).length === 1;
  const rules = OBJECT_TYPES.flatMap((objectType) =>
    admissionsOf(policy, objectType).map((admission, index) => {
      const { rule, countedAs, enrich, onRequest, waitMinutes } = admission;
      const rows = yields.filter((row) => row.rule === countedAs);
      const spent = report.yields.rule.find(({ name }) => name === (countedAs ?? WITHOUT_RULE));
      const when = policy.whom[objectType]?.[index]?.when ?? [];
      return {
        objectType,
        ...(rule !== undefined && { rule }),
        conditions: when.map((condition) => conditionWords(condition, definitions[objectType])),
        decision: decisionWords({
          enrich,
          onRequest,
          waitMinutes,
          credits: worstCaseOfRefresh({ objectType, rule }, policy),
        }),
        isBought: enrich,
        ...((rule !== undefined || isOnlyUnruled) && { figures: figuresOf(rows, spent) }),
      };
    }),
  );
  const fields = OBJECT_TYPES.flatMap((objectType) =>
    policy.fields[objectType]
      .filter(({ write }) => write !== 'never')
      .map(({ property, write }) => ({
        objectType,
        label: definitions[objectType]?.get(property)?.label ?? property,
        write,
      })),
  );
  return { version: policy.version, all: figuresOf(yields, report.total), rules, fields };
}

function figuresOf(
  rows: readonly YieldCount[],
  { credits, matchRate }: Pick<SpendReport['total'], 'credits' | 'matchRate'> = { credits: 0 },
): HomeView['policy']['all'] {
  return {
    records: rows.reduce((sum, { runs }) => sum + runs, 0),
    filledFields: rows.reduce((sum, { fields }) => sum + fields, 0),
    ...(matchRate !== undefined && { matchRate }),
    credits,
  };
}

function decisionWords(by: {
  readonly enrich: boolean;
  readonly onRequest: boolean;
  readonly waitMinutes: number;
  readonly credits: number;
}): string {
  if (!by.enrich) return by.onRequest ? 'Only if a person asks' : 'Not looked up';
  const most = `at most ${counted(by.credits, 'credit')}`;
  return by.waitMinutes > 0 ? `Waits ${counted(by.waitMinutes, 'minute')}, ${most}` : `Looked up, ${most}`;
}

const ADDRESS_WORDS = {
  business: 'Business email',
  'free-mail': 'Email of a free provider',
  role: 'Email of an office, such as info@',
  none: 'No valid email',
} as const;

/** `Lifecycle stage is customer`. */
function conditionWords(condition: WhomCondition, definitions: PropertyDefinitions | undefined): string {
  if ('email' in condition) return ADDRESS_WORDS[condition.email];
  const { property, isOfCompany } = propertyOf(condition);
  const definition = isOfCompany ? undefined : definitions?.get(property);
  const subject = `${definition?.label ?? property}${isOfCompany ? ' of the company' : ''}`;
  const { name, wanted } = comparisonIn(condition);
  const shown = [wanted].flat().map((each) => {
    const option = definition?.options.find(({ value }) => value === each);
    return option?.label ?? String(each);
  });
  const blank = condition.orBlank ? ', or empty' : '';
  return `${subject} ${COMPARISON_WORDS[name](shown.join(' or '), Number(wanted))}${blank}`;
}

const COMPARISON_WORDS: Readonly<Record<ComparisonName, (wanted: string, count: number) => string>> = {
  is: (wanted) => `is ${wanted}`,
  in: (wanted) => `is ${wanted}`,
  not: (wanted) => `is not ${wanted}`,
  above: (wanted) => `is above ${wanted}`,
  below: (wanted) => `is below ${wanted}`,
  before: (_, days) => `is at least ${counted(days, 'day')} ago`,
  blank: () => 'is empty',
  filled: () => 'is not empty',
  domain: (wanted) => `is at ${wanted}`,
};
