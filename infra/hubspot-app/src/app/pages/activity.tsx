import { Text } from '@hubspot/ui-extensions';
import { useState } from 'react';
import { AppTable, type Paging } from '../cards/app-table.tsx';
import { credits, operationName } from '../cards/words.ts';
import { usePage } from './frame.tsx';
import type { LastLookup } from './home-service.ts';
import { OUTCOME_WORDS, PURPOSE_WORDS, whenWords } from './home-words.ts';
import { RecordLink, recordOf } from './names.tsx';

const ROWS_A_PAGE = 25;

/** The last lookups, newest first. */
export function ActivityPage() {
  const { data } = usePage();
  const [page, setPage] = useState(1);
  const pageCount = Math.ceil(data.activity.length / ROWS_A_PAGE);
  const from = (page - 1) * ROWS_A_PAGE;
  const paging = pageCount > 1 ? { pageCount, page, onPageChange: setPage } : undefined;
  return <LookupTable lookups={data.activity.slice(from, from + ROWS_A_PAGE)} paging={paging} />;
}

interface LookupTableProps {
  readonly lookups: readonly LastLookup[];
  readonly paging?: Paging | undefined;
}

export function LookupTable({ lookups, paging }: LookupTableProps) {
  const { data, nowMs } = usePage();
  if (lookups.length === 0) return <Text>Nothing was looked up this month.</Text>;
  const rows = lookups.map((lookup) => {
    const { operation, outcome, purpose, askedBy } = lookup;
    const record = recordOf(lookup.record);
    return {
      key: `${lookup.atMs} ${lookup.record} ${operation}`,
      cells: [
        whenWords(lookup, { nowMs, timeZone: data.timeZone }),
        record ? <RecordLink key="record" record={record} /> : 'No record',
        operationName(operation),
        OUTCOME_WORDS[outcome] ?? outcome,
        credits(lookup.credits),
        askedBy ?? PURPOSE_WORDS[purpose] ?? 'Other',
      ],
    };
  });
  const heads = ['When', 'Record', 'Lookup', 'Result', 'Cost', 'Asked by'];
  return <AppTable heads={heads} figures={['Cost']} rows={rows} paging={paging} />;
}
