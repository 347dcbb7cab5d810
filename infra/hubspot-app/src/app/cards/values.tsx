import {
  Button,
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
import type { CardRun, Value, Wish } from './service.ts';
import { BUTTONS, day, operationName, VALUE_STATES } from './words.ts';

interface ValuesProps {
  readonly values: readonly Value[];
  readonly runs: readonly CardRun[];
  readonly isBusy: boolean;
  readonly isNarrow: boolean;
  readonly onWish: (wish: Wish) => void;
}

/** The values that we wrote last, with source, time, and whether each is still ours. */
export function Values({ isNarrow, ...shown }: ValuesProps) {
  return isNarrow ? <ValueList {...shown} /> : <ValueTable {...shown} />;
}

type Shown = Omit<ValuesProps, 'isNarrow'>;

function ValueList({ values, runs, isBusy, onWish }: Shown) {
  return (
    <Flex direction="column" gap="sm">
      {values.map((value) => (
        <Flex key={value.property} direction="column" gap="xs">
          <Text format={{ fontWeight: 'demibold' }}>{value.label}</Text>
          <Text variant="microcopy">{`${sourceOf(value, runs)}, ${day(value.writtenAtMs)}`}</Text>
          <Flex direction="row" gap="sm" wrap={true}>
            <Now value={value} />
            <Undo value={value} isBusy={isBusy} onWish={onWish} />
          </Flex>
        </Flex>
      ))}
    </Flex>
  );
}

function ValueTable({ values, runs, isBusy, onWish }: Shown) {
  return (
    <Table density="condensed" bordered={true}>
      <TableHead>
        <TableRow>
          <TableHeader>Property</TableHeader>
          <TableHeader>From</TableHeader>
          <TableHeader>Written</TableHeader>
          <TableHeader>Now</TableHeader>
          <TableHeader>Undo</TableHeader>
        </TableRow>
      </TableHead>
      <TableBody>
        {values.map((value) => (
          <TableRow key={value.property}>
            <TableCell>{value.label}</TableCell>
            <TableCell>{sourceOf(value, runs)}</TableCell>
            <TableCell>{day(value.writtenAtMs)}</TableCell>
            <TableCell>
              <Now value={value} />
            </TableCell>
            <TableCell>
              <Undo value={value} isBusy={isBusy} onWish={onWish} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Now({ value }: { readonly value: Value }) {
  const { variant, word } = VALUE_STATES[value.now];
  return <StatusTag variant={variant}>{word}</StatusTag>;
}

function Undo({ value, isBusy, onWish }: Omit<Shown, 'values' | 'runs'> & { readonly value: Value }) {
  const { now, property, label } = value;
  if (now !== 'ours') return null;
  return (
    <Button size="xs" disabled={isBusy} onClick={() => onWish({ kind: 'undo', property })}>
      {BUTTONS.undo(label)}
    </Button>
  );
}

function sourceOf({ run }: Value, runs: readonly CardRun[]): string {
  const found = runs.find(({ recordId, number }) => recordId === run.recordId && number === run.number);
  return operationName(found?.operation);
}
