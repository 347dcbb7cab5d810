import { assert, type Packing } from '#shared/kernel';
import { isSearch, type QuestionOperation } from './question.ts';
import type { StoredAnswer } from './schemas.ts';

type AnswerRecord = Readonly<Record<string, unknown>>;

interface PackServices {
  readonly packing: Packing;
}

/**
 * Space for answers in a question's item. A DynamoDB item holds 400 KB, and the rest of the item needs a few. Packed
 * answers are ASCII.
 */
const ROOM_BYTES = 300_000;
/** Most answers of a question: one for each of the 8 combinations of three options. A search has one answer. */
const MAX_ANSWERS = 8;

/** Packs a record. A record that is too large is cut until it fits: its largest field becomes shorter, again and again. */
export function packAnswer(
  { packing }: PackServices,
  { operation, record }: { readonly operation: QuestionOperation; readonly record: AnswerRecord },
): Pick<StoredAnswer, 'packed' | 'isCut'> {
  const roomBytes = isSearch({ operation }) ? ROOM_BYTES : ROOM_BYTES / MAX_ANSWERS;
  let kept = record;
  let packed = packing.pack(kept);
  while (packed.length > roomBytes) {
    kept = withShorterField(kept);
    packed = packing.pack(kept);
  }
  return kept === record ? { packed } : { packed, isCut: true };
}

/** Drops the last quarter of the largest field's list. Leaves a text or an object out, because half of it is no value. */
function withShorterField(record: AnswerRecord): AnswerRecord {
  const bySize = Object.entries(record).map(([name, value]) => ({
    name,
    value,
    size: JSON.stringify(value)?.length ?? 0,
  }));
  const { name, value } = bySize.reduce((largest, field) => (field.size > largest.size ? field : largest));
  const { [name]: _, ...rest } = record;
  if (!Array.isArray(value) || value.length === 0) return rest;
  return { ...rest, [name]: value.slice(0, Math.floor((value.length * 3) / 4)) };
}

/** Unpacks the record of an answer. @returns `undefined` if the answer has none. */
export function unpackAnswer({ packing }: PackServices, { packed }: StoredAnswer): AnswerRecord | undefined {
  if (!packed) return undefined;
  const record = packing.unpack(packed);
  assert(record !== null && typeof record === 'object', 'a stored answer is a record');
  return { ...record };
}
