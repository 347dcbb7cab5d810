import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@hubspot/ui-extensions';
import type { ReactNode } from 'react';

export interface AppTableProps {
  readonly heads: readonly string[];
  /** The columns with figures. */
  readonly figures?: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  readonly isDense?: boolean;
  readonly paging?: Paging | undefined;
}

export interface Paging {
  readonly pageCount: number;
  readonly page: number;
  readonly onPageChange: (page: number) => void;
}

/** A table with one row for each item. */
export function AppTable({ heads, figures = [], rows, isDense = false, paging }: AppTableProps) {
  const alignOf = (head: string | undefined) =>
    head !== undefined && figures.includes(head) ? 'right' : 'left';
  const pages = paging ? { paginated: true as const, ...paging } : { paginated: false as const };
  return (
    <Table bordered={true} density={isDense ? 'condensed' : 'default'} {...pages}>
      <TableHead>
        <TableRow>
          {heads.map((head) => (
            <TableHeader key={head} align={alignOf(head)}>
              {head}
            </TableHeader>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map(({ key, cells }) => (
          <TableRow key={key}>
            {heads.map((head, index) => (
              <TableCell key={head} align={alignOf(head)}>
                {cells[index] ?? ''}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
