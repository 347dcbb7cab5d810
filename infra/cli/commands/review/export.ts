import { OBJECT_TYPES, WRITES_AT_ONCE } from '#shared/crm';
import { previewFindings } from '#shared/enrichment';
import { csvRecord } from '#shared/kernel';
import type { FindingKind, ReviewLine } from '#shared/review';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun } from '../../sheet-command.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { readId, undecided } from './findings.ts';

/** `about`: of a contradiction, whom the answer is about. Accepting does not write these values. */
const COLUMNS = ['id', 'since', 'reason', 'about', 'property', 'now', 'proposed'] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** `review export`: one row for each value that `review accept` would write, for review by people. */
export async function exportReview(
  run: CommandRun,
  { kind, json }: CommandOptions & { readonly kind?: FindingKind },
): Promise<Sheet> {
  const rows = rowsOf(await run.connect(), kind);
  return json ? { json: await Array.fromAsync(rows) } : { stream: csvOf(rows) };
}

async function* csvOf(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield csvRecord(COLUMNS);
  for await (const row of rows) yield csvRecord(COLUMNS.map((column) => row[column]));
}

async function* rowsOf(connection: Connection, kind: FindingKind | undefined): AsyncGenerator<Row> {
  let group: ReviewLine[] = [];
  for await (const line of undecided(connection.services.reviews, kind)) {
    group.push(line);
    if (group.length < WRITES_AT_ONCE) continue;
    yield* await rowsOfGroup(connection, group);
    group = [];
  }
  yield* await rowsOfGroup(connection, group);
}

async function rowsOfGroup(connection: Connection, lines: readonly ReviewLine[]): Promise<Row[]> {
  const services = await enrichmentServices(connection);
  const previewed = [];
  for (const objectType of OBJECT_TYPES) {
    for (const [, ofKind] of Map.groupBy(lines, ({ kind }) => kind)) {
      const names = ofKind
        .map(({ id }) => readId(id))
        .filter(({ record }) => record.objectType === objectType);
      if (names.length > 0) previewed.push(...(await previewFindings(services, objectType, names)));
    }
  }
  const byId = new Map(
    previewed.map(({ record, kind, ...shown }) => [`${record.objectType}/${record.id}/${kind}`, shown]),
  );
  return lines.flatMap(({ id, since, reason }) => {
    const { changes = [], subject = {} } = byId.get(id) ?? {};
    const about = Object.entries(subject)
      .map(([property, value]) => `${property} ${value}`)
      .join(', ');
    const finding = { id, since, reason, about };
    if (changes.length === 0) return [{ ...finding, property: '', now: '', proposed: '' }];
    return changes.map(({ property, now, proposed }) => ({ ...finding, property, now: now ?? '', proposed }));
  });
}
