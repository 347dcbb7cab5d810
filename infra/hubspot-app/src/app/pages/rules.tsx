import {
  Accordion,
  Alert,
  Flex,
  Heading,
  ProgressBar,
  StatusTag,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
  Text,
} from '@hubspot/ui-extensions';
import { useState } from 'react';
import { credits, grouped } from '../cards/words.ts';
import { usePage } from './frame.tsx';
import { leftWords } from './home.tsx';
import type { Budget, Rule } from './home-service.ts';
import { percent, shortTime, TYPE_WORDS, WRITE_WORDS } from './home-words.ts';

/** The policy's rules with their figures of 30 days, the budgets, and the properties. Read only. */
export function RulesPage() {
  const { data } = usePage();
  const { policy, spend } = data;
  const [isOpen, setOpen] = useState(false);
  const { all } = policy;
  return (
    <Flex direction="column" gap="lg">
      <Flex direction="column" gap="xs">
        <Text>{`Policy ${policy.version}. Read only. The first rule that fits decides.`}</Text>
        <Text variant="microcopy">
          {`Last 30 days: ${grouped(all.records)} records in, match rate ${percent(all.matchRate)}, ${credits(all.credits)}.`}
        </Text>
      </Flex>
      {(['contacts', 'companies'] as const).map((type) => (
        <Rules key={type} title={TYPE_WORDS[type]} rules={policy.rules.filter(({ objectType }) => objectType === type)} all={all.credits} />
      ))}
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
          const names = fields.map(({ label, objectType }) => `${label} (${TYPE_WORDS[objectType].toLowerCase()})`);
          return <Text key={write}>{`${words}: ${names.join(', ')}.`}</Text>;
        })}
      </Accordion>
      <Alert title="What would change with other rules?" variant="info">
        <Text>Compare a draft with stored answers, for 0 credits: policy compare new-policy.ts</Text>
      </Alert>
    </Flex>
  );
}

interface RulesProps {
  readonly title: string;
  readonly rules: readonly Rule[];
  /** Credits of all rules. */
  readonly all: number;
}

function Rules({ title, rules, all }: RulesProps) {
  const figures = rules.flatMap((rule) => rule.figures ?? []);
  const spent = figures.reduce((sum, each) => sum + each.credits, 0);
  const records = figures.reduce((sum, each) => sum + each.records, 0);
  return (
    <Flex direction="column" gap="sm">
      <Flex direction="row" gap="sm" align="center" wrap={true}>
        <Heading>{title}</Heading>
        <Text variant="microcopy">
          {figures.length === 0 ? 'No rules: every record is looked up' : `${grouped(records)} records in, ${credits(spent)}`}
        </Text>
      </Flex>
      <Table bordered={true}>
        <TableHead>
          <TableRow>
            <TableHeader>#</TableHeader>
            <TableHeader>Rule</TableHeader>
            <TableHeader>Decides</TableHeader>
            <TableHeader align="right">Records in</TableHeader>
            <TableHeader align="right">Match rate</TableHeader>
            <TableHeader align="right">Credits</TableHeader>
            <TableHeader>Share</TableHeader>
            <TableHeader align="right">Per field</TableHeader>
          </TableRow>
        </TableHead>
        <TableBody>
          {rules.map((rule, index) => (
            <RuleRow key={rule.rule ?? ''} rule={rule} place={index + 1} all={all} />
          ))}
        </TableBody>
      </Table>
    </Flex>
  );
}

function RuleRow({ rule, place, all }: { readonly rule: Rule; readonly place: number; readonly all: number }) {
  const { conditions, decision, isBought, figures } = rule;
  const { credits: spent = 0, filledFields = 0 } = figures ?? {};
  const type = TYPE_WORDS[rule.objectType].toLowerCase();
  const share = all === 0 ? 0 : spent / all;
  return (
    <TableRow>
      <TableCell>{place}</TableCell>
      <TableCell>
        <Text format={{ fontWeight: 'demibold' }}>{rule.rule ?? `All ${type}`}</Text>
        <Text variant="microcopy">
          {conditions.length === 0 ? `Every ${place === 1 ? '' : 'other '}record` : conditions.join(', and ')}
        </Text>
      </TableCell>
      <TableCell>{isBought ? decision : <StatusTag variant="default">{decision}</StatusTag>}</TableCell>
      <TableCell align="right">{figures ? grouped(figures.records) : '-'}</TableCell>
      <TableCell align="right">{percent(figures?.matchRate)}</TableCell>
      <TableCell align="right">{figures ? grouped(spent) : '-'}</TableCell>
      <TableCell>
        {spent === 0 ? (
          ''
        ) : (
          <ProgressBar
            aria-label={`Share of ${rule.rule ?? type}`}
            value={spent}
            maxValue={all}
            valueDescription={percent(share)}
          />
        )}
      </TableCell>
      <TableCell align="right">{filledFields === 0 || spent === 0 ? '-' : (spent / filledFields).toFixed(2)}</TableCell>
    </TableRow>
  );
}

function Budgets({ budgets }: { readonly budgets: readonly Budget[] }) {
  const { data, nowMs } = usePage();
  return (
    <Flex direction="column" gap="sm">
      <Flex direction="row" gap="sm" align="center" wrap={true}>
        <Heading>Budgets</Heading>
        <Text variant="microcopy">Used now, with requests under way</Text>
      </Flex>
      <Table bordered={true}>
        <TableHead>
          <TableRow>
            <TableHeader>Budget</TableHeader>
            <TableHeader>Used</TableHeader>
            <TableHeader>Left</TableHeader>
            <TableHeader>Resets</TableHeader>
          </TableRow>
        </TableHead>
        <TableBody>
          {budgets.map((budget) => {
            const { label, usedCredits, limitCredits, resetsAtMs } = budget;
            return (
              <TableRow key={label}>
                <TableCell>
                  <Text format={{ fontWeight: 'demibold' }}>{label}</Text>
                </TableCell>
                <TableCell>
                  <ProgressBar
                    aria-label={`Used of ${label}`}
                    value={Math.max(0, Math.min(usedCredits, limitCredits))}
                    maxValue={Math.max(1, limitCredits)}
                    valueDescription={`${grouped(usedCredits)} of ${grouped(limitCredits)}`}
                    variant={usedCredits > limitCredits * 0.8 ? 'warning' : 'success'}
                  />
                </TableCell>
                <TableCell>{leftWords(budget)}</TableCell>
                <TableCell>{shortTime(resetsAtMs, { nowMs, timeZone: data.timeZone })}</TableCell>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </Flex>
  );
}
