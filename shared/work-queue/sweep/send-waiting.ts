import type { Lane } from '#shared/crm';
import { mapInChunks } from '#shared/kernel';
import { changeRecord, type RecordState } from '#shared/records';
import { change } from '#shared/versioned-items';
import type { WorkMessage } from '../message.ts';
import { sweepWindowKind } from '../stored-kinds.ts';
import type { SweepServices } from './sweep-services.ts';
import { type PlacesWish, type SendingCause, type SweepPlaces, takePlaces } from './sweep-window.ts';

/** Records of one message. */
export type MessageGroup = readonly RecordState[];

export interface Sending {
  readonly cause: SendingCause;
  readonly lane: Lane;
  /** Maximum number of messages of this cause and lane in one minute, for all sweeps together. */
  readonly bound: number;
  /** Returns the state to store before the message is sent, or `undefined` if another process was faster. */
  readonly before: (state: RecordState) => RecordState | undefined;
  /** Returns the state to store if the message was not sent. */
  readonly unsent: (state: RecordState) => RecordState | undefined;
}

/**
 * Sends messages of waiting records in chunks. For each chunk: takes places of this minute, writes the states, sends
 * the messages. A crash loses the messages of at most one chunk. Stops when the minute has no place left.
 * @throws UpstreamError if the queue refuses a chunk. The chunk's records then wait as before.
 */
export async function sendWaiting(
  services: SweepServices,
  groups: readonly MessageGroup[],
  sending: Sending,
): Promise<{ readonly records: number; readonly messages: number }> {
  let sent = { records: 0, messages: 0 };
  for (const chunk of chunksOf(groups)) {
    const places = await placesFor(services, { ...sending, count: chunk.length });
    const { records, messages } = await sendChunk(services, chunk.slice(0, places.granted), {
      ...sending,
      ...places,
    });
    sent = { records: sent.records + records, messages: sent.messages + messages };
    if (places.granted < chunk.length) break;
  }
  return sent;
}

async function placesFor(
  { sweepWindow, clock, random }: SweepServices,
  request: PlacesWish,
): Promise<SweepPlaces> {
  const item = { key: sweepWindowKind.key(), kind: "sweeps' window", clock, random };
  return change(sweepWindow, item, (known) => takePlaces(known, request, clock.now()));
}

async function sendChunk(
  services: SweepServices,
  groups: readonly MessageGroup[],
  { lane, before, unsent, untilMs }: Sending & SweepPlaces,
): Promise<{ readonly records: number; readonly messages: number }> {
  const { queues, clock } = services;
  const written = await mapInChunks(groups.flat(), (record) =>
    changeRecord(services, record, (state) => ({ record, state: before(state) })),
  );
  // A record that has failed for good has no run, and needs no message.
  const changed = new Map(written.flatMap(({ record, state }) => (state?.run ? [[record, state]] : [])));
  const remaining = groups.map((group) => group.flatMap((record) => changed.get(record) ?? []));
  const messages = remaining.flatMap(messageOf);
  const putBack = () =>
    mapInChunks([...changed.values()], (record) =>
      changeRecord(services, record, (state) => ({ state: unsent(state) })),
    );
  // If the sweep has stalled since it took its places, the messages would exceed the bound of the current minute.
  if (clock.now() >= untilMs) {
    await putBack();
    return { records: 0, messages: 0 };
  }
  try {
    await queues[lane].send(messages);
  } catch (error) {
    await putBack();
    throw error;
  }
  return { records: changed.size, messages: messages.length };
}

/**
 * Number of records in a chunk. All are written at the same time. A crash leaves at most these records without a
 * message.
 */
const CHUNK = 25;

/** Splits groups into chunks. A group is never split: a group of 100 companies is one chunk. */
function chunksOf(groups: readonly MessageGroup[]): readonly (readonly MessageGroup[])[] {
  const chunks: MessageGroup[][] = [];
  let records = CHUNK;
  for (const group of groups) {
    if (records >= CHUNK) {
      chunks.push([]);
      records = 0;
    }
    chunks.at(-1)?.push(group);
    records += group.length;
  }
  return chunks;
}

/** Makes one message for records of the same type and purpose. An empty group needs no message. */
function messageOf([first, ...others]: MessageGroup): WorkMessage[] {
  if (!first) return [];
  const { objectType, id, run } = first;
  const moreIds = others.length > 0 ? { moreIds: others.map((each) => each.id) } : {};
  return [{ objectType, id, ...moreIds, purpose: run?.purpose ?? 'live', eventKeys: [] }];
}
