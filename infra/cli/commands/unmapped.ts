import type { ObjectType } from '#shared/crm';
import { leftoversOf } from '#shared/field-policy';
import { DAY_MS } from '#shared/kernel';
import { questionKind, storedRecord } from '#shared/questions';
import type { JournalEntry } from '#shared/records';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { RefusedValue, wholeNumber } from '../terminal/refusals.ts';
import { type Sheet, tableOf } from '../terminal/sheet.ts';

export function addUnmapped(program: SheetCommand): void {
  program
    .command('unmapped')
    .description(
      'list values that could not be written, because a field, property or option is missing; most frequent first',
    )
    .option('--days <n>', 'how many days back', days, 30)
    .csv()
    .example('--days 7')
    .sheet(list);
}

function days(given: string): number {
  const count = wholeNumber(1)(given);
  if (count <= 400) return count;
  throw new RefusedValue('too-large', { max: 400 });
}

const COLUMNS = ['objectType', 'property', 'key', 'records', 'reason'] as const;

async function list(run: CommandRun, { days }: CommandOptions & { readonly days: number }): Promise<Sheet> {
  const { services, policy, clock } = await run.connect();
  const toMs = clock.now();
  const entries = await services.journal.between({ fromMs: toMs - days * DAY_MS, toMs });
  const dropped: readonly Unmapped[] = entries.flatMap(({ objectType, dropped: own = [] }) =>
    own.map(({ property, reason }) => ({ objectType, property, reason })),
  );
  const all = [...dropped, ...(await leftoversIn({ services, policy }, entries))];
  const groups = [...Map.groupBy(all, (one) => JSON.stringify(one)).values()];
  const counted = groups
    .flatMap((group) => (group[0] ? [{ ...group[0], records: group.length }] : []))
    .sort((a, b) => b.records - a.records);
  const empty = 'Every value of the answers fits a property.';
  return { json: counted, body: [{ ...tableOf(COLUMNS, counted), empty }] };
}

/** Maximum number of answers to inspect, newest first. More answers would show the same values. */
const MOST_ANSWERS = 200;

interface Unmapped {
  readonly objectType: ObjectType;
  /** HubSpot property. Absent if the policy names no property for the value. */
  readonly property?: string;
  readonly key?: string;
  readonly reason: string;
}

/** Values of the newest answers that no field of the policy uses. */
async function leftoversIn(
  { services, policy }: Pick<Connection, 'services' | 'policy'>,
  entries: readonly JournalEntry[],
): Promise<Unmapped[]> {
  const byQuestion = new Map(
    entries.flatMap((one) => (one.question ? [[one.question.key, one] as const] : [])),
  );
  const newest = [...byQuestion].slice(-MOST_ANSWERS);
  const found: Unmapped[] = [];
  for (const [questionKey, { objectType }] of newest) {
    const item = (await services.questions.items.read(questionKind.key(questionKey)))?.value;
    const record =
      item?.answer?.kind === 'found' ? await storedRecord(services.questions, item, item.answer) : undefined;
    const keys = leftoversOf(record ?? {}, policy.fields[objectType]);
    found.push(...keys.map((key) => ({ objectType, key, reason: 'no field of the policy takes it' })));
  }
  return found;
}
