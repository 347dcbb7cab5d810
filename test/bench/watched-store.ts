import type { Place, Store, StoreWrite, TableName } from '#shared/store';

/** A request of the store, as DynamoDB would get it. */
export type StoreRequest =
  | { readonly kind: 'getMany'; readonly places: readonly Place<unknown>[] }
  | { readonly kind: 'index' | 'count'; readonly table: TableName; readonly partition: string }
  | { readonly kind: 'transact'; readonly writes: readonly StoreWrite[] };

/** Puts a watch between the product and a store. The watch may delay a request, and sees its answer. */
export function watchedStore(
  store: Store,
  watch: <A>(request: StoreRequest, send: () => Promise<A>) => Promise<A>,
): Store {
  return {
    ...store,
    getMany: (places) => watch({ kind: 'getMany', places }, () => store.getMany(places)),
    index: (kind, range) =>
      watch({ kind: 'index', table: kind.table, partition: range.partition }, () => store.index(kind, range)),
    count: (kind, partition, atMost) =>
      watch({ kind: 'count', table: kind.table, partition }, () => store.count(kind, partition, atMost)),
    transact: (writes) => watch({ kind: 'transact', writes }, () => store.transact(writes)),
  };
}
