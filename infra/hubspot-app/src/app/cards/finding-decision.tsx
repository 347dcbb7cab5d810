import {
  Button,
  Checkbox,
  Flex,
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
import type { CardFinding, FindingWish, OfferedValue } from './service.ts';
import { BUTTONS, day, FINDING_WORDS, NOTES } from './words.ts';

export interface FindingDecisionProps {
  readonly finding: CardFinding;
  /** Values that accepting would write. Absent until a person asks for them. */
  readonly values: readonly OfferedValue[] | undefined;
  readonly isBusy: boolean;
  readonly isNarrow: boolean;
  /** Time zone of the dates; UTC by default. */
  readonly timeZone?: string;
  readonly onWish: (wish: FindingWish) => void;
}

/** A finding, the values that accepting it would write, and the buttons to decide it. */
export function FindingDecision({
  finding,
  values,
  isBusy,
  isNarrow,
  timeZone,
  onWish,
}: FindingDecisionProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { kind, reason, foundAtMs, hasAnswer } = finding;
  const named = { finding: kind, foundAtMs };
  const offered = values?.filter(({ isKept }) => !isKept) ?? [];
  const chosen = offered.map(({ property }) => property).filter((property) => !left.has(property));
  const toggle = (property: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(property);
    else next.add(property);
    setLeft(next);
  };
  const accept = () => onWish({ kind: 'accept', ...named, ...(left.size > 0 && { properties: chosen }) });
  return (
    <Flex direction="column" gap="xs">
      <StatusTag variant="warning">{FINDING_WORDS[kind] ?? 'Finding'}</StatusTag>
      <Text>{`${asSentence(reason)} Since ${day(foundAtMs, timeZone)}. Without a decision, the record stays as it is.`}</Text>
      {values === undefined ? null : <OfferedValues {...{ values, left, isNarrow }} onToggle={toggle} />}
      <Flex direction="row" gap="sm" wrap={true}>
        {hasAnswer && values === undefined ? (
          <Button size="sm" disabled={isBusy} onClick={() => onWish({ kind: 'preview', ...named })}>
            {BUTTONS.showValues}
          </Button>
        ) : null}
        {!hasAnswer || chosen.length > 0 ? (
          <Button size="sm" disabled={isBusy} onClick={accept}>
            {hasAnswer ? BUTTONS.accept(chosen.length) : BUTTONS.done}
          </Button>
        ) : null}
        <Button size="sm" disabled={isBusy} onClick={() => onWish({ kind: 'reject', ...named })}>
          {BUTTONS.reject}
        </Button>
      </Flex>
    </Flex>
  );
}

/** `the answer names ...` -> `The answer names ... .` */
function asSentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`;
}

interface OfferedProps {
  readonly values: readonly OfferedValue[];
  /** Properties that the person leaves out. */
  readonly left: ReadonlySet<string>;
  readonly isNarrow: boolean;
  readonly onToggle: (property: string, isChosen: boolean) => void;
}

function OfferedValues({ values, left, isNarrow, onToggle }: OfferedProps) {
  if (values.length === 0)
    return <Text>There is nothing left to write: accepting would change no value.</Text>;
  const box = ({ property, label, isKept }: OfferedValue) =>
    isKept ? (
      <Text>{NOTES.isKept}</Text>
    ) : (
      <Checkbox
        name={property}
        checked={!left.has(property)}
        onChange={(isChosen) => onToggle(property, isChosen)}
        aria-label={`Write ${label}`}
      >
        {NOTES.isWritten}
      </Checkbox>
    );
  if (isNarrow)
    return (
      <Flex direction="column" gap="sm">
        {values.map((value) => (
          <Flex key={value.property} direction="column" gap="xs">
            <Text format={{ fontWeight: 'demibold' }}>{value.label}</Text>
            <Text>{`${value.now || 'empty'} -> ${value.proposed}`}</Text>
            {box(value)}
          </Flex>
        ))}
      </Flex>
    );
  return (
    <Table density="condensed" bordered={true}>
      <TableHead>
        <TableRow>
          <TableHeader>Property</TableHeader>
          <TableHeader>In HubSpot now</TableHeader>
          <TableHeader>The answer</TableHeader>
          <TableHeader>If accepted</TableHeader>
        </TableRow>
      </TableHead>
      <TableBody>
        {values.map((value) => (
          <TableRow key={value.property}>
            <TableCell>{value.label}</TableCell>
            <TableCell>{value.now || 'empty'}</TableCell>
            <TableCell>{value.proposed}</TableCell>
            <TableCell>{box(value)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
