import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, Text } from '@hubspot/ui-extensions';
import { useState } from 'react';
import { credits, operationName } from '../cards/words.ts';
import { usePage } from './frame.tsx';
import type { Lookup } from './home-service.ts';
import { OUTCOME_WORDS, PURPOSE_WORDS, shortTime } from './home-words.ts';
import { RecordLink, recordOf } from './names.tsx';

const ROWS_A_PAGE = 25;

/** The last lookups, newest first. */
export function ActivityPage() {
  const { data } = usePage();
  const [page, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(data.activity.length / ROWS_A_PAGE));
  const from = (page - 1) * ROWS_A_PAGE;
  const paging: Paging =
    pages > 1 ? { paginated: true, pageCount: pages, page, onPageChange: setPage } : { paginated: false };
  return <LookupTable lookups={data.activity.slice(from, from + ROWS_A_PAGE)} paging={paging} />;
}

type Paging =
  | { readonly paginated: false }
  | {
      readonly paginated: true;
      readonly pageCount: number;
      readonly page: number;
      readonly onPageChange: (page: number) => void;
    };

export function LookupTable({
  lookups,
  paging = { paginated: false },
}: {
  readonly lookups: readonly Lookup[];
  readonly paging?: Paging;
}) {
  const { data, nowMs } = usePage();
  if (lookups.length === 0) return <Text>Nothing was looked up this month.</Text>;
  return (
    <Table bordered={true} {...paging}>
      <TableHead>
        <TableRow>
          <TableHeader>When</TableHeader>
          <TableHeader>Record</TableHeader>
          <TableHeader>Lookup</TableHeader>
          <TableHeader>Result</TableHeader>
          <TableHeader align="right">Cost</TableHeader>
          <TableHeader>Asked by</TableHeader>
        </TableRow>
      </TableHead>
      <TableBody>
        {lookups.map((lookup) => {
          const { atMs, operation, outcome, purpose, askedBy } = lookup;
          const record = recordOf(lookup.record);
          return (
            <TableRow key={`${atMs} ${lookup.record} ${operation}`}>
              <TableCell>{shortTime(atMs, { nowMs, timeZone: data.timeZone })}</TableCell>
              <TableCell>{record ? <RecordLink record={record} /> : 'Several records'}</TableCell>
              <TableCell>{operationName(operation)}</TableCell>
              <TableCell>{OUTCOME_WORDS[outcome] ?? 'Other'}</TableCell>
              <TableCell align="right">{credits(lookup.credits)}</TableCell>
              <TableCell>{askedBy ?? PURPOSE_WORDS[purpose] ?? 'Other'}</TableCell>
            </TableRow>
          );
        })}
      </TableBody>
    </Table>
  );
}
