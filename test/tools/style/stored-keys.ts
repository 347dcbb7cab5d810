import type { TreeFile } from './tree-files.ts';

interface KeyRule {
  readonly what: string;
  readonly pattern: RegExp;
  /** Files that may do this. */
  readonly allowed: readonly string[];
}

const KINDS = 'shared/store/transactions.ts';
const STORE = 'shared/store/items.dynamo.ts';

/** Ways around the typed keys and the stores. The type check refuses a key without a kind. */
const RULES: readonly KeyRule[] = [
  {
    what: 'makes a key or a partition without a stored kind: call key() of its row in stored-kinds.ts.',
    pattern: /\bas (?:unknown as )?(?:ItemKey|IndexPartition)\b|<(?:ItemKey|IndexPartition)>/,
    allowed: [KINDS],
  },
  {
    what: 'puts the owner and the kind before a key: the stores do this; pass the key of a stored kind.',
    pattern: /\bstoredKey\(/,
    allowed: [
      'shared/store/transactions.ts',
      STORE,
      'shared/store/items.sqlite.ts',
      'infra/aws/permissions.ts',
    ],
  },
  {
    what: 'sends a command to a table: use its store, or extend the port of the store.',
    pattern: /\bnew (?:Get|Put|Query|Update|Delete|Scan|BatchGet|BatchWrite|Transact\w+)Command\(/,
    // `deploy` checks whether a table is empty.
    allowed: [STORE, 'infra/aws/deploy/stacks.ts'],
  },
  {
    what: 'would lose fields that only a later version knows: use replacing().',
    pattern: /\bexpectedVersion: (?!undefined\b)/,
    allowed: ['shared/store/items.ts'],
  },
];

const PRODUCT = /^(?:shared|functions|infra\/(?:aws|cli|local))\/.*\.ts$/;

/** Finds places that build a stored key, or write an item, outside the table of stored kinds: `path:line says what`. */
export function keyFaults({ path, text }: TreeFile): string[] {
  if (!PRODUCT.test(path)) return [];
  const lines = text.split('\n');
  return RULES.filter(({ allowed }) => !allowed.includes(path)).flatMap(({ what, pattern }) =>
    lines.flatMap((line, nth) => (pattern.test(line) ? [`${path}:${nth + 1} ${what}`] : [])),
  );
}
