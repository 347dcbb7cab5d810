import { Accordion, Box, Button, Text } from '@hubspot/ui-extensions';
import { useContext, useState } from 'react';
import { AppTable } from '../cards/app-table.tsx';
import { credits, operationName } from '../cards/words.ts';
import { PageSettings } from './decision.tsx';
import { usePage } from './frame.tsx';
import { PAGE_BUTTONS, PAGE_NOTES, shortTime } from './home-words.ts';
import { RecordLink, recordOf, useNameOf } from './names.tsx';

const REASON = 'Answer about another person or company';

/** Charges to claim back from the vendor. They are copied with names, which only the page knows. */
export function Claims() {
  const { data, nowMs } = usePage();
  const { onCopy } = useContext(PageSettings);
  const nameOf = useNameOf();
  const [isOpen, setOpen] = useState(false);
  const claims = data.claims.flatMap((claim) => {
    const record = recordOf(claim.record);
    return record ? [{ ...claim, record }] : [];
  });
  if (claims.length === 0) return null;
  const rows = claims.map(({ record, atMs, operation, credits: paid }) => ({
    key: `${record.id} ${atMs}`,
    cells: [
      <RecordLink key="record" record={record} />,
      shortTime(atMs, { nowMs, timeZone: data.timeZone }),
      operationName(operation),
      REASON,
      credits(paid),
    ],
  }));
  const hasIds = claims.some(({ requestId }) => requestId !== undefined);
  const heads = [...HEADS, ...(hasIds ? ['Request id'] : [])];
  const lines = claims.map(({ record, atMs, operation, credits: paid, requestId = '' }) => [
    nameOf(record),
    new Date(atMs).toISOString(),
    operationName(operation),
    REASON,
    `${paid}`,
    ...(hasIds ? [requestId] : []),
  ]);
  const sum = claims.reduce((total, claim) => total + claim.credits, 0);
  return (
    <Accordion title={PAGE_NOTES.claims(claims.length, sum)} open={isOpen} onClick={() => setOpen(!isOpen)}>
      <AppTable heads={HEADS} figures={['Credits']} rows={rows} />
      <Text variant="microcopy">{PAGE_NOTES.otherClaims}</Text>
      {onCopy === undefined ? null : (
        <Box>
          <Button size="sm" onClick={() => onCopy(csvOf([heads, ...lines]))}>
            {PAGE_BUTTONS.copyClaims}
          </Button>
        </Box>
      )}
    </Accordion>
  );
}

const HEADS = ['Name', 'Time', 'Lookup', 'Reason', 'Credits'];

/** A cell that begins like a formula is quoted as a text, so that a spreadsheet does not run it. */
function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `"${text.replace(/^[=+@-]/, "'$&").replaceAll('"', '""')}"`;
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}
