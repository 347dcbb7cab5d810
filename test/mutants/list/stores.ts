import type { Breakages } from '../mutant.ts';

const STORE = 'test/contract/store/store.test.ts';
const DYNAMO = 'test/contract/store/store-dynamo.test.ts';
const KINDS = 'test/unit/shared/store/stored-kinds.test.ts';
const LOG = 'test/contract/store/ledger-store.test.ts';

/** The engines and what stands on them: conditional writes, whole transactions, own writes recognised. */
export const STORES: readonly Breakages[] = [
  {
    file: 'shared/store/items.ts',
    suites: [KINDS, 'test/e2e/nothing-lost.test.ts'],
    breakages: [
      ['a field of a later version is lost', '...(unknown && !isForgetting && { unknown })', ''],
      ['a forgetting keeps a field of a later version', 'unknown && !isForgetting &&', 'unknown &&'],
      [
        'only the first page of an index is listed',
        'while (after && found.length < limit);',
        'while (found.length < 0);',
      ],
    ],
  },
  {
    file: 'shared/store/transactions.ts',
    suites: [KINDS],
    breakages: [
      ['a damaged item is taken for a good one', 'value: schema.parse(body),', 'value: body as V,'],
    ],
  },
  {
    file: 'shared/store/kind.ts',
    suites: [KINDS],
    breakages: [['a field of a later version is not seen', 'new Set(fieldsOf(schema))', 'undefined']],
  },
  {
    file: 'shared/store/items.dynamo.ts',
    suites: [STORE, DYNAMO],
    breakages: [
      ['an own write is not known again', "return error.Item?.['version']?.S === version;", 'return false;'],
      [
        "another's write is taken for one's own",
        "return error.Item?.['version']?.S === version;",
        "return error.Item?.['version'] !== undefined;",
      ],
      [
        'an own transaction is not known again',
        "if (reasons.some(({ Item }) => Item?.['version']?.S === version)) return true;",
        '',
      ],
      [
        'the first write of an item has no condition',
        "ConditionExpression: 'attribute_not_exists(#pk)'",
        "ConditionExpression: 'attribute_not_exists(#pk) OR attribute_exists(#pk)'",
      ],
      [
        'a stale writer wins',
        "ConditionExpression: '#version = :version'",
        "ConditionExpression: '#version <> :version OR #version = :version'",
      ],
      [
        'what a batch left out is taken for missing',
        'wanted = new Map(',
        'wanted = new Map();\n      new Map(',
      ],
    ],
  },
  {
    file: 'shared/store/items.sqlite.ts',
    suites: [STORE, 'test/contract/store/store-sqlite.test.ts'],
    breakages: [
      [
        'a stale writer wins on a laptop',
        'versionOf(place) !== version)',
        'versionOf(place) !== version && version === undefined)',
      ],
      ['a power cut undoes what was answered', 'synchronous = FULL', 'synchronous = NORMAL'],
      ['what was deleted stays on the disk', 'secure_delete = ON', 'secure_delete = OFF'],
    ],
  },
  {
    file: 'shared/credit-ledger/store.ts',
    suites: [LOG],
    breakages: [
      ['an own entry is not known again', 'value.hash === hash', "value.hash === ''"],
      ["another's entry is taken for one's own", 'value.hash === hash', "value.hash !== ''"],
      [
        'only the first page of the log is read',
        'found.length < limit && from <= last',
        'found.length < limit && from === fromSeq',
      ],
    ],
  },
];
