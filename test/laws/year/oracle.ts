/** Judges a HubSpot account by its own history. It imports nothing of the product. */

export interface SeenVersion {
  readonly value: string;
  readonly atMs: number;
  /** Whether our app wrote it, a person or another app, or HubSpot itself in a merge. */
  readonly by: 'us' | 'others' | 'merge';
}

export interface SeenRecord {
  readonly id: string;
  readonly isMerged: boolean;
  /** By property, newest first. */
  readonly versions: Readonly<Record<string, readonly SeenVersion[]>>;
}

/** What a person typed last into a property. */
export interface Typed {
  readonly id: string;
  readonly property: string;
  readonly value: string;
}

const DAY_MS = 86_400_000;
/** A pass begins once a day, and a sweep may have been killed. */
const GRACE_DAYS = 3;

/** A sentence for each broken promise. */
export function judge(
  records: readonly SeenRecord[],
  {
    nowMs,
    keptDays,
    typed,
  }: { readonly nowMs: number; readonly keptDays: number; readonly typed: readonly Typed[] },
): readonly string[] {
  const faults: string[] = [];
  for (const record of records) {
    const own = typed.filter(({ id }) => id === record.id);
    const held = heldOfUs(record, own);
    for (const { property, sinceMs } of held)
      if (nowMs - sinceMs > (keptDays + GRACE_DAYS) * DAY_MS)
        faults.push(`${record.id}: ${property} is kept longer than ${keptDays} days`);
    if (held.length > 0 && newest(record, 'enrichment_notice_due') === '')
      faults.push(`${record.id}: holds our values without a day for the notice`);
    // Which of two values survives a merge is HubSpot's choice.
    if (record.isMerged) continue;
    for (const { property, value } of own)
      if (newest(record, property) !== value)
        faults.push(
          `${record.id}: a person's ${property} is lost: typed "${value}", now ${JSON.stringify(record.versions[property]?.slice(0, 4))}`,
        );
  }
  return faults;
}

/** Properties that hold a value which our app wrote for nobody but itself, and since when. */
export function heldOfUs(
  { versions }: SeenRecord,
  typed: readonly Typed[],
): readonly { readonly property: string; readonly sinceMs: number }[] {
  return Object.entries(versions).flatMap(([property, all]) => {
    const [last] = all;
    const writes = all.filter(({ by }) => by !== 'merge');
    const [author] = writes;
    if (property.startsWith('enrichment_') || !last || last.value === '' || author?.by !== 'us') return [];
    // Our app gave back what a person had typed.
    if (all.some(({ by, value }) => by === 'others' && value === last.value)) return [];
    if (typed.some((each) => each.property === property && each.value === last.value)) return [];
    const until = writes.findIndex(({ by, value }) => by !== 'us' || value === '');
    const run = until === -1 ? writes : writes.slice(0, until);
    return [{ property, sinceMs: Math.min(...run.map(({ atMs }) => atMs)) }];
  });
}

/** What an access export says of one record. */
export interface ExportedRecord {
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Holds an access export against what HubSpot saw us write: it has each value that still is ours, and none that a person
 * replaced or that was removed.
 */
export function judgeExport(
  record: SeenRecord,
  { values }: ExportedRecord,
  typed: readonly Typed[],
): readonly string[] {
  const own = typed.filter(({ id }) => id === record.id);
  const held = new Set(heldOfUs(record, own).map(({ property }) => property));
  const isSeen = (property: string) => Object.hasOwn(record.versions, property);
  const exported = Object.keys(values).filter((name) => isSeen(name) && !name.startsWith('enrichment_'));
  return [
    ...[...held]
      .filter((name) => values[name] !== newest(record, name))
      .map((name) => `${record.id}: the export lacks ${name}`),
    ...exported
      .filter((name) => !held.has(name))
      .map((name) => `${record.id}: the export says that ${name} is ours`),
  ];
}

function newest({ versions }: SeenRecord, property: string): string {
  return versions[property]?.[0]?.value ?? '';
}
