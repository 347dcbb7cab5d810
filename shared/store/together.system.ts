import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, NewId, Random } from '#shared/kernel';
import { untilWon } from './items.ts';
import { createRecent, createStaging, NOTHING, type Staging } from './staging.ts';
import {
  bodyText,
  MAX_ITEMS,
  MAX_TRANSACTION_BYTES,
  type Place,
  type Store,
  type StoreWrite,
  type TogetherStore,
} from './transactions.ts';

interface Services {
  readonly newId: NewId;
  readonly clock: Pick<Clock, 'sleep' | 'monotonic'>;
  readonly random: Random;
}

/** Work that waits for its transaction. */
interface Unit {
  readonly work: (stage: Staging) => Promise<unknown>;
  readonly done: PromiseWithResolvers<unknown>;
}

/** Units that are not settled: to be done alone, or in the next transaction because this one is full. */
interface Shared {
  readonly alone: readonly Unit[];
  readonly later: readonly Unit[];
}

/** No work returns these. */
const FAILED = Symbol('failed');
const FULL = Symbol('full');

/** Tries of units in one transaction, before each is done alone. */
const MAX_SHARED_TRIES = 4;
/** Longest pause between two tries, so that other workers can write. */
const SHARED_PAUSE_MS = 20;

/**
 * Collects the writes of works, see `TogetherStore`. A first try may decide on what this process has just read or
 * written: the transaction fails if a written item has changed since then. Work that writes nothing is done again with
 * fresh reads, because a refusal must not rest on an old item.
 */
export function createTogether(store: Store, { newId, clock, random }: Services): TogetherStore {
  const current = new AsyncLocalStorage<Staging>();
  const recent = createRecent(clock);
  let waiting: Unit[] = [];
  let isBusy = false;

  const commit = async (stage: Staging): Promise<boolean> => {
    const parts = partsOf(stage.writes());
    for (const [nth, part] of parts.entries()) {
      const version = nth === parts.length - 1 ? stage.version : newId();
      if ((await store.transact(part, version)).kind === 'conflict') return false;
      recent.wrote(part, version);
    }
    return true;
  };

  const doAlone = async ({ work, done }: Unit): Promise<void> => {
    /** Read first by each further try, also what only an earlier try wrote: work may write an item unread. */
    let lostPlaces: readonly Place<unknown>[] = [];
    const attempt = async (lost: number) => {
      let stage = createStaging(store, { version: newId(), recent: lost === 0 ? recent : NOTHING });
      await stage.read(lostPlaces);
      let value = await work(stage);
      if (!stage.hasWritten() && stage.hasUsedRecent()) {
        stage = createStaging(store, { version: stage.version, recent: NOTHING });
        value = await work(stage);
      }
      if (!stage.hasWritten() || (await commit(stage))) return { value };
      lostPlaces = [...lostPlaces, ...stage.writes().map(({ place }) => place)];
      return undefined;
    };
    try {
      const { value } = await untilWon({ kind: 'stored item', clock, random }, attempt);
      done.resolve(value);
    } catch (error) {
      done.reject(error);
    }
  };

  /** Tries to write units in one transaction. If another writer was first, all are done again. */
  const doShared = async (units: readonly Unit[]): Promise<Shared> => {
    let lostPlaces: readonly Place<unknown>[] = [];
    for (let lost = 0; lost < MAX_SHARED_TRIES; lost += 1) {
      const stage = createStaging(store, { version: newId(), recent: lost === 0 ? recent : NOTHING });
      await stage.read(lostPlaces);
      const ready: { readonly unit: Unit; readonly value: unknown }[] = [];
      const alone: Unit[] = [];
      const later: Unit[] = [];
      for (const unit of units) {
        const undo = stage.mark();
        const value = later.length > 0 ? FULL : await unit.work(stage).catch(() => FAILED);
        const isFull = value === FULL || partsOf(stage.writes()).length > 1;
        if (value !== FAILED && !isFull && stage.hasWritten(undo)) ready.push({ unit, value });
        else {
          undo();
          // A unit that failed is done alone, and its caller then gets the error.
          (isFull && ready.length > 0 ? later : alone).push(unit);
        }
      }
      if (ready.length === 0) return { alone, later };
      if (await commit(stage)) {
        for (const { unit, value } of ready) unit.done.resolve(value);
        return { alone, later };
      }
      lostPlaces = [...lostPlaces, ...stage.writes().map(({ place }) => place)];
      await clock.sleep(random() * SHARED_PAUSE_MS);
    }
    return { alone: units, later: [] };
  };

  const workOff = async () => {
    isBusy = true;
    while (waiting.length > 0) {
      const units = waiting;
      waiting = [];
      // If the transaction fails otherwise, one unit is at fault. So each is done alone.
      const all = { alone: units, later: [] };
      const { alone, later } = units.length > 1 ? await doShared(units).catch(() => all) : all;
      for (const unit of alone) await doAlone(unit);
      waiting = [...later, ...waiting];
    }
    isBusy = false;
  };

  return {
    ...store,
    getMany: async (places) => {
      const stage = current.getStore();
      if (stage) return stage.read(places);
      const items = await store.getMany(places);
      recent.saw(places, items);
      return items;
    },
    transact: async (writes, version = newId()) => {
      const stage = current.getStore();
      if (stage) return stage.write(writes);
      const result = await store.transact(writes, version);
      if (result.kind === 'done') recent.wrote(writes, result.version);
      return result;
    },
    together: <R>(work: (drop: () => void) => Promise<R>): Promise<R> => {
      const around = current.getStore();
      if (around) return work(around.mark());
      // The work keeps the context of its caller.
      const inContext = AsyncLocalStorage.snapshot();
      const inStage = (stage: Staging) => inContext(() => current.run(stage, () => work(stage.mark())));
      const done = Promise.withResolvers<unknown>();
      waiting.push({ work: inStage, done });
      if (!isBusy) void workOff();
      return done.promise as Promise<R>;
    },
  };
}

/** Splits writes into transactions within the limits. Checks come last, with the last writes. */
function partsOf(writes: readonly StoreWrite[]): readonly (readonly StoreWrite[])[] {
  const ordered = [
    ...writes.filter(({ kind }) => kind !== 'check'),
    ...writes.filter(({ kind }) => kind === 'check'),
  ];
  const parts: StoreWrite[][] = [];
  let bytes = 0;
  for (const write of ordered) {
    const size = Buffer.byteLength(bodyText(write));
    const part = parts.at(-1);
    if (part && part.length < MAX_ITEMS && bytes + size <= MAX_TRANSACTION_BYTES) {
      part.push(write);
      bytes += size;
    } else {
      parts.push([write]);
      bytes = size;
    }
  }
  return parts;
}
