import { assert, type Packing } from '#shared/kernel';
import { replacing, type VersionedItems } from '#shared/versioned-items';
import type { QuestionOperation } from './question.ts';
import type { SideItem, StoredAnswer } from './schemas.ts';
import { partsExpiry } from './stored-answers.ts';
import { sideItemKind } from './stored-kinds.ts';

export interface PackedServices {
  readonly sideItems: VersionedItems<SideItem>;
  readonly packing: Packing;
}

type AnswerRecord = Readonly<Record<string, unknown>>;

/**
 * Space for answers in a question's item. A DynamoDB item holds 400 KB, and the rest of the item needs a few. Packed
 * answers are ASCII.
 */
const ROOM_BYTES = 300_000;
/** Most answers of a question: one for each of the 8 combinations of three options. A search has one answer. */
const MAX_ANSWERS = 8;

const LISTS: ReadonlySet<QuestionOperation> = new Set([
  'searchPeople',
  'searchCompanies',
  'searchEmployees',
  'companiesByDomain',
]);

/** Packs a record. @returns `undefined` if it is too large for its question's own item. */
export function packInline(
  { packing }: Pick<PackedServices, 'packing'>,
  answer: Unpacked,
): string | undefined {
  const packed = packing.pack(answer.record);
  const isList = LISTS.has(answer.operation);
  return packed.length <= (isList ? ROOM_BYTES : ROOM_BYTES / MAX_ANSWERS) ? packed : undefined;
}

interface Unpacked {
  readonly operation: QuestionOperation;
  readonly record: AnswerRecord;
}

/**
 * Packs a record for its question's item. A record that is too large is written in parts to separate items. The answer
 * that names the parts is written later. After a crash, parts without an answer expire.
 * @param answer.id identifies the attempt, so that two attempts never write the same part.
 */
export async function packAnswer(
  { sideItems, packing }: PackedServices,
  answer: Unpacked & { id: string; expiresAtMs: number },
): Promise<Pick<StoredAnswer, 'packed' | 'parts'>> {
  const inline = packInline({ packing }, answer);
  if (inline !== undefined) return { packed: inline };
  const packed = packing.pack(answer.record);
  const untilMs = partsExpiry(answer.expiresAtMs);
  const parts: string[] = [];
  for (let start = 0; start < packed.length; start += ROOM_BYTES) {
    const part = partName(answer.id, parts.length);
    const key = sideItemKind.key({ part });
    const value = { kind: 'part', text: packed.slice(start, start + ROOM_BYTES), untilMs } as const;
    await sideItems.write({ key, value, expectedVersion: 0 });
    parts.push(part);
  }
  return { parts };
}

/** Unpacks the record of a found answer. @returns `undefined` if a part is missing, for example after a purge. */
export async function unpackAnswer(
  { sideItems, packing }: PackedServices,
  { packed, parts }: StoredAnswer,
): Promise<AnswerRecord | undefined> {
  const texts = parts ? await Promise.all(parts.map((part) => readPart(sideItems, part))) : [packed];
  if (texts.some((text) => !text)) return undefined;
  const record = packing.unpack(texts.join(''));
  assert(record !== null && typeof record === 'object', 'a stored answer is a record');
  return { ...record };
}

/** Empties the items of an answer's parts, so that they expire at once. */
export async function blankParts(services: PackedServices, { parts = [] }: StoredAnswer): Promise<void> {
  for (const part of parts) await blankPart(services, part);
}

/** Empties the parts of an attempt that has no stored outcome. @param id as given to `packAnswer` */
export async function blankPartsOf(services: PackedServices, id: string): Promise<void> {
  for (let nth = 0; await blankPart(services, partName(id, nth)); nth += 1);
}

/** @returns whether the part exists. */
async function blankPart({ sideItems }: PackedServices, part: string): Promise<boolean> {
  const key = sideItemKind.key({ part });
  const stored = await sideItems.read(key);
  if (stored?.value.kind === 'part' && stored.value.text !== '') {
    const value = { kind: 'part', text: '', untilMs: 0 } as const;
    // A failed write needs no retry: only a process that empties the part writes this item.
    await sideItems.write({ key, value, ...replacing(stored, true) });
  }
  return stored !== undefined;
}

function partName(id: string, nth: number): string {
  return `${id}#${nth}`;
}

async function readPart(sideItems: PackedServices['sideItems'], part: string): Promise<string | undefined> {
  const stored = await sideItems.read(sideItemKind.key({ part }));
  return stored?.value.kind === 'part' ? stored.value.text : undefined;
}
