import type { IndexPage, IndexRange, KindInStore, TransactResult } from '#inside/store/transactions.ts';
import type { Place, Store, StoreWrite } from '#shared/store';

/** A request of the store, as DynamoDB would get it. */
export type StoreRequest =
  | { readonly kind: 'getMany'; readonly places: readonly Place<unknown>[] }
  | { readonly kind: 'index'; readonly of: KindInStore<unknown>; readonly range: IndexRange }
  | { readonly kind: 'count'; readonly of: KindInStore<unknown>; readonly range: IndexRange }
  | { readonly kind: 'transact'; readonly writes: readonly StoreWrite[] };

export type StoreWatch = <A>(request: StoreRequest, send: () => Promise<A>) => Promise<A>;

/** Puts a watch between the product and a store. The watch may delay or refuse a request, and sees its answer. */
export function watchedStore(store: Store, watch: StoreWatch): Store {
  return {
    ...store,
    getMany: (places) => watch({ kind: 'getMany', places }, () => store.getMany(places)),
    index: (of, range) => watch<IndexPage>({ kind: 'index', of, range }, () => store.index(of, range)),
    count: (of, partition, atMost) =>
      watch({ kind: 'count', of, range: { partition } }, () => store.count(of, partition, atMost)),
    transact: (writes, version) =>
      watch<TransactResult>({ kind: 'transact', writes }, () => store.transact(writes, version)),
  };
}

type SameKind = Pick<KindInStore<unknown>, 'schema'>;

/** The values that a request puts into items of a kind. */
export function putsOf<V>(
  request: StoreRequest,
  kind: { readonly schema: { parse(stored: unknown): V } },
): readonly { readonly key: string; readonly value: V; readonly version: string | undefined }[] {
  if (request.kind !== 'transact') return [];
  return request.writes.flatMap((write) =>
    write.kind === 'put' && isOf(write.place, kind)
      ? [{ key: write.place.key, value: write.value as V, version: write.version }]
      : [],
  );
}

/** Whether a request reads or writes an item of a kind. */
export function touches(request: StoreRequest, kind: SameKind): boolean {
  if (request.kind === 'getMany') return request.places.some((place) => isOf(place, kind));
  if (request.kind === 'transact') return request.writes.some(({ place }) => isOf(place, kind));
  return request.of.schema === kind.schema;
}

/** A kind is known by its schema, because items of an account have a copy of their kind. */
export function isOf({ kind }: Place<unknown>, { schema }: SameKind): boolean {
  return kind.schema === schema;
}
