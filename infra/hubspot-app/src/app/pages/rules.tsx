import {
  Accordion,
  Alert,
  Button,
  Flex,
  Heading,
  ProgressBar,
  StatusTag,
  Text,
} from '@hubspot/ui-extensions';
import { useContext, useState } from 'react';
import { AppTable } from '../cards/app-table.tsx';
import { credits, grouped } from '../cards/words.ts';
import { PageSettings } from './decision.tsx';
import { usePage } from './frame.tsx';
import { leftWords } from './home.tsx';
import type { Budget, HomeData, Rule } from './home-service.ts';
import { PAGE_BUTTONS, shareWords, shortTime, TYPE_WORDS, WRITE_WORDS } from './home-words.ts';

/** The policy's rules with their figures of 30 days, the budgets, and the properties. Read only. */
export function RulesPage() {
  const { data } = usePage();
  const { onCopy } = useContext(PageSettings);
  const { policy, spend } = data;
  const [isOpen, setOpen] = useState(false);
  const { all } = policy;
  return (
    <Flex direction="column" gap="lg">
      <Flex direction="column" gap="xs">
        <Text>{`Policy ${policy.version}. Read only. The first rule that fits decides.`}</Text>
        <Text variant="microcopy">
          {`Last 30 days: ${grouped(all.records)} records in, match rate ${shareWords(all.matchRate)}, ${credits(all.credits)}.`}
        </Text>
      </Flex>
      {policy.rules.some(({ figures }) => figures) ? (
        (['contacts', 'companies'] as const).map((type) => (
          <Rules
            key={type}
            title={TYPE_WORDS[type]}
            rules={policy.rules.filter(({ objectType }) => objectType === type)}
            all={all.credits}
          />
        ))
      ) : (
        <Rules title="Contacts and companies" rules={withoutRules(policy)} all={all.credits} />
      )}
      <Budgets budgets={spend.budgets} />
      <Accordion
        title={`Fields: ${policy.fields.length} properties may be written`}
        open={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Text>People's values stay unless a row says "over any value".</Text>
        {Object.entries(WRITE_WORDS).map(([write, words]) => {
          const fields = policy.fields.filter((field) => field.write === write);
          if (fields.length === 0) return null;
          const names = fields.map(
            ({ label, objectType }) => `${label} (${TYPE_WORDS[objectType].toLowerCase()})`,
          );
          return <Text key={write}>{`${words}: ${names.join(', ')}.`}</Text>;
        })}
      </Accordion>
      <Alert title="What would change with other rules?" variant="info">
        <Flex direction="row" gap="sm" align="center" wrap={true}>
          <Text>{`Compare a draft with stored answers, for 0 credits: ${COMPARE}`}</Text>
          {onCopy === undefined ? null : (
            <Button size="xs" onClick={() => onCopy(COMPARE)}>
              {PAGE_BUTTONS.copy}
            </Button>
          )}
        </Flex>
      </Alert>
    </Flex>
  );
}

const COMPARE = 'policy compare new-policy.ts';

interface RulesProps {
  readonly title: string;
  readonly rules: readonly Rule[];
  /** Credits of all rules. */
  readonly all: number;
}

function Rules({ title, rules, all }: RulesProps) {
  const sum = (figure: 'credits' | 'records') =>
    rules.reduce((total, { figures }) => total + (figures?.[figure] ?? 0), 0);
  const rows = rules.map((rule, index) => ({ key: rule.rule ?? '', cells: ruleCells(rule, index + 1, all) }));
  return (
    <Flex direction="column" gap="sm">
      <Flex direction="row" gap="sm" align="center" wrap={true}>
        <Heading>{title}</Heading>
        <Text variant="microcopy">{`${grouped(sum('records'))} records in, ${credits(sum('credits'))}`}</Text>
      </Flex>
      <AppTable heads={RULE_HEADS} figures={RULE_HEADS.slice(3)} rows={rows} />
    </Flex>
  );
}

/** One row for a policy without rules, because its records are counted together. */
function withoutRules({ rules, all }: HomeData['policy']): readonly Rule[] {
  const [first] = rules;
  const decision = rules.map((rule) => `${TYPE_WORDS[rule.objectType]}: ${rule.decision}`).join('. ');
  return first ? [{ ...first, rule: 'All contacts and companies', decision, figures: all }] : [];
}

const RULE_HEADS = ['#', 'Rule', 'Decides', 'Records in', 'Match rate', 'Credits', 'Share', 'Per field'];

function ruleCells(
  { conditions, decision, isBought, figures, rule, objectType }: Rule,
  place: number,
  all: number,
) {
  const { records = 0, credits: spent = 0, filledFields = 0, matchRate } = figures ?? {};
  const name = rule ?? `All ${TYPE_WORDS[objectType].toLowerCase()}`;
  const every = `Every ${place === 1 ? '' : 'other '}record`;
  return [
    place,
    <Flex key="rule" direction="column" gap="flush">
      <Text format={{ fontWeight: 'demibold' }}>{name}</Text>
      <Text variant="microcopy">{conditions.length === 0 ? every : conditions.join(', and ')}</Text>
    </Flex>,
    isBought ? decision : <StatusTag key="decision">{decision}</StatusTag>,
    grouped(records),
    shareWords(matchRate),
    grouped(spent),
    spent > 0 && (
      <ProgressBar
        key="share"
        aria-label={`Share of ${name}`}
        value={spent}
        maxValue={all}
        valueDescription={shareWords(spent / all)}
      />
    ),
    filledFields === 0 || spent === 0 ? '-' : (spent / filledFields).toFixed(2),
  ];
}

/** Share of a budget from which its bar warns. */
const NEARLY_USED = 0.8;

function Budgets({ budgets }: { readonly budgets: readonly Budget[] }) {
  const { data, nowMs } = usePage();
  const rows = budgets.map((budget) => {
    const { label, usedCredits, limitCredits, resetsAtMs } = budget;
    return {
      key: label,
      cells: [
        <Text key="label" format={{ fontWeight: 'demibold' }}>
          {label}
        </Text>,
        <ProgressBar
          key="used"
          aria-label={`Used of ${label}`}
          value={Math.max(0, Math.min(usedCredits, limitCredits))}
          maxValue={Math.max(1, limitCredits)}
          valueDescription={`${grouped(usedCredits)} of ${grouped(limitCredits)}`}
          variant={usedCredits > limitCredits * NEARLY_USED ? 'warning' : 'success'}
        />,
        leftWords(budget),
        shortTime(resetsAtMs, { nowMs, timeZone: data.timeZone }),
      ],
    };
  });
  return (
    <Flex direction="column" gap="sm">
      <Flex direction="row" gap="sm" align="center" wrap={true}>
        <Heading>Budgets</Heading>
        <Text variant="microcopy">Used now, with requests under way</Text>
      </Flex>
      <AppTable heads={['Budget', 'Used', 'Left', 'Resets']} rows={rows} />
    </Flex>
  );
}
