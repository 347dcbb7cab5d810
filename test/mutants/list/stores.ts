import type { Breakages } from '../mutant.ts';

const ITEMS = 'test/contract/stores/versioned-items.test.ts';
const KINDS = 'test/unit/shared/store/stored-kinds.test.ts';
const LOG = 'test/contract/stores/ledger-store.test.ts';
const LOST_ANSWERS = 'test/contract/stores/lost-answers.test.ts';
const CONSISTENT = 'test/contract/stores/consistent-reads.test.ts';

/** The adapters of DynamoDB: conditional writes, consistent reads, own writes recognised. */
export const STORES: readonly Breakages[] = [
  {
    file: 'shared/store/store.ts',
    suites: [ITEMS, KINDS],
    breakages: [
      ['a field of a later version is lost', '...(unknown && !isForgetting && { unknown })', ''],
      ['a forgetting keeps a field of a later version', 'unknown && !isForgetting &&', 'unknown &&'],
    ],
  },
  {
    file: 'shared/store/kind.ts',
    suites: [KINDS],
    breakages: [['a field of a later version is not seen', 'new Set(fieldsOf(schema))', 'undefined']],
  },
  {
    file: 'shared/store/store.dynamo.ts',
    suites: [CONSISTENT, LOST_ANSWERS, ITEMS],
    breakages: [
      ['an item is read as some replica has it', 'ConsistentRead: true', 'ConsistentRead: false'],
      [
        'an own write is not known again',
        "=== writeId ? 'written' : 'conflict'",
        "=== '' ? 'written' : 'conflict'",
      ],
      [
        "another's write is taken for one's own",
        "=== writeId ? 'written' : 'conflict'",
        "!== '' ? 'written' : 'conflict'",
      ],
      [
        'the first write of an item has no condition',
        "ConditionExpression: 'attribute_not_exists(#key)'",
        "ConditionExpression: 'attribute_not_exists(#key) OR attribute_exists(#key)'",
      ],
      ['a stale writer wins', "'#version = :expected'", "'#version >= :expected'"],
      ['a damaged item is taken for a good one', 'value: schema.parse(body),', 'value: body as V,'],
      [
        'only the first page of an index is listed',
        'while (start && (limit === undefined || found.length < limit));',
        'while (!found);',
      ],
    ],
  },
  {
    file: 'shared/credit-ledger/store.dynamo.ts',
    suites: [CONSISTENT, LOST_ANSWERS, LOG],
    breakages: [
      ['the log is read as some replica has it', 'ConsistentRead: true,\n', 'ConsistentRead: false,\n'],
      [
        'what stands in a place of the log is read as some replica has it',
        'Key: keyOf(entry), ConsistentRead: true }',
        'Key: keyOf(entry) }',
      ],
      ['an own entry is not known again', "return Item?.['hash'] === entry.hash;", 'return !Item;'],
      [
        "another's entry is taken for one's own",
        "return Item?.['hash'] === entry.hash;",
        'return Item !== undefined;',
      ],
      [
        'an entry is put where another stands',
        "ConditionExpression: 'attribute_not_exists(#pk)'",
        "ConditionExpression: 'attribute_not_exists(#pk) OR attribute_exists(#pk)'",
      ],
      [
        'only the first page of the log is read',
        'while (startKey && found.length < range.limit);',
        'while (!found);',
      ],
    ],
  },
];
