import { createDynamoItems, type DynamoItemsOptions } from '#inside/versioned-items/store.dynamo.ts';
import type { IndexedItems, IndexPosition, ItemKey } from '#shared/versioned-items';

interface PlainItemsOptions<V> extends Pick<DynamoItemsOptions<V>, 'client' | 'tableName' | 'newId'> {
  readonly parse: (stored: unknown) => V;
  readonly indexPosition?: ((value: V) => IndexPosition | undefined) | undefined;
  readonly expiresAtMs?: ((value: V) => number | undefined) | undefined;
  /** Known top-level fields; all if absent. */
  readonly fields?: readonly string[];
}

/** Items of the account `default`, of an unregistered kind, under any key. */
export function createPlainItems<V>(options: PlainItemsOptions<V>): IndexedItems<V, string, string> {
  const { client, tableName, newId, parse, indexPosition, expiresAtMs, fields } = options;
  const place = (value: V) => indexPosition?.(value);
  const expiry = { kept: 'for a test', at: (value: V) => expiresAtMs?.(value) };
  return createDynamoItems<V>({
    ...{
      client,
      tableName,
      newId,
      account: 'default',
      policy: { journalDays: 365, privacy: { keepDisclosures: 1095 } },
    },
    kind: {
      fields: fields && new Set(fields),
      schema: { parse },
      place,
      expiry,
    },
  });
}

/** Makes a key without a kind, for an item that a test stores in a wrong place. */
export function itemKey(key: string): ItemKey {
  return key as ItemKey;
}
