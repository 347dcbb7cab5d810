import {
  Button,
  StatusTag,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from '@hubspot/ui-extensions';
import type { CardRun, Value, Wish } from './service.ts';
import { day, operationName } from './words.ts';

const NOW = {
  ours: { word: 'Still ours', variant: 'success' },
  changed: { word: 'Not ours any more', variant: 'default' },
  empty: { word: 'Emptied since', variant: 'default' },
} as const;

interface ValuesProps {
  readonly values: readonly Value[];
  readonly runs: readonly CardRun[];
  readonly isBusy: boolean;
  readonly onWish: (wish: Wish) => void;
}

/** Each value that we wrote last: where it came from, when, and whether it is still ours. */
export function Values({ values, runs, isBusy, onWish }: ValuesProps) {
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
              <StatusTag variant={NOW[value.now].variant}>{NOW[value.now].word}</StatusTag>
            </TableCell>
            <TableCell>
              {value.now === 'ours' ? (
                <Button
                  size="xs"
                  disabled={isBusy}
                  onClick={() => onWish({ kind: 'undo', property: value.property })}
                >
                  {`Undo ${value.label}`}
                </Button>
              ) : null}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function sourceOf({ run }: Value, runs: readonly CardRun[]): string {
  const found = runs.find(({ recordId, number }) => recordId === run.recordId && number === run.number);
  return operationName(found?.operation);
}
