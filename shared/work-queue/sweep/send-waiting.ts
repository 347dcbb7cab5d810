import type { Lane } from '#shared/crm';
import { inChunks, mapInChunks } from '#shared/kernel';
import { changeRecord, type RecordState, statusKind } from '#shared/records';
import { change } from '#shared/store';
import type { WorkMessage } from '../message.ts';
import {
  type PlacesWish,
  type SendingCause,
  type SweepPlaces,
  type SweepServices,
  takePlaces,
} from './sweep-window.ts';

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
 * Sends a message for each waiting record, in chunks. For each chunk: takes places of this minute, writes the states,
 * sends the messages. A crash loses the messages of at most one chunk. Stops when the minute has no place left.
 * @returns the number of messages.
 * @throws UpstreamError if the queue refuses a chunk. The chunk's records then wait as before.
 */
export async function sendWaiting(
  services: SweepServices,
  records: readonly RecordState[],
  sending: Sending,
): Promise<number> {
  let sent = 0;
  for (const chunk of inChunks(records, CHUNK)) {
    const places = await placesFor(services, { ...sending, count: chunk.length });
    sent += await sendChunk(services, chunk.slice(0, places.granted), { ...sending, ...places });
    if (places.granted < chunk.length) break;
  }
  return sent;
}

async function placesFor(
  { status, clock, random }: SweepServices,
  request: PlacesWish,
): Promise<SweepPlaces> {
  const item = { key: statusKind.key('sweep'), kind: "sweeps' window", clock, random };
  return change(status, item, (known) => {
    const places = takePlaces(known?.sweep, request, clock.now());
    return { ...places, value: places.sweep && { sweep: places.sweep } };
  });
}

async function sendChunk(
  services: SweepServices,
  records: readonly RecordState[],
  { lane, before, unsent, untilMs }: Sending & SweepPlaces,
): Promise<number> {
  const { queues, clock } = services;
  const written = await mapInChunks(records, (record) =>
    changeRecord(services, record, (state) => ({ state: before(state) })),
  );
  // A record that has failed for good has no run, and needs no message.
  const changed = written.flatMap(({ state }) => (state?.run ? [state] : []));
  const putBack = () =>
    mapInChunks(changed, (record) => changeRecord(services, record, (state) => ({ state: unsent(state) })));
  // If the sweep has stalled since it took its places, the messages would exceed the bound of the current minute.
  if (clock.now() >= untilMs) {
    await putBack();
    return 0;
  }
  try {
    await queues[lane].send(changed.map(messageOf));
  } catch (error) {
    await putBack();
    throw error;
  }
  return changed.length;
}

/**
 * Number of records in a chunk. All are written at the same time. A crash leaves at most these records without a
 * message.
 */
const CHUNK = 25;

function messageOf({ objectType, id, run }: RecordState): WorkMessage {
  return { objectType, id, purpose: run?.purpose ?? 'live', eventKeys: [] };
}
