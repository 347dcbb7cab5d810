import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareCommands } from './command-hints.ts';
import { longMessages } from './long-messages.ts';
import { badNames } from './names.ts';
import { readTree, type TreeFile } from './tree-files.ts';
import { unwantedWords } from './words.ts';

type Sample = readonly [path: string, text?: string];

interface HouseRule {
  readonly name: string;
  /** Sentences that start with the place of a fault. */
  readonly check: (file: TreeFile) => readonly string[];
  /** Each must be found; a rule that finds nothing is no rule. */
  readonly bad: readonly Sample[];
  /** Each comes close and must be left alone. */
  readonly good: readonly Sample[];
}

const RULES: readonly HouseRule[] = [
  {
    name: 'files and folders are in kebab case and named after a noun',
    check: badNames,
    bad: [
      ['shared/workQueue/port.ts'],
      ['shared/work-queue/Port.ts'],
      ['shared/work_queue/port.ts'],
      ['shared/utils/dates.ts'],
      ['test/harness/test-helpers.ts'],
      ['shared/records/record-manager.ts'],
    ],
    good: [
      ['shared/work-queue/queue.sqs.ts'],
      ['test/laws/simulation/oracle/README.md'],
      ['.ci/run'],
      ['shared/records/managed-fields.ts'],
    ],
  },
  {
    name: 'nothing is postponed, and nothing is true on one machine only',
    check: unwantedWords,
    bad: [
      ['shared/records/plan.ts', `// ${['TO', 'DO'].join('')}: later`],
      ['shared/records/plan.ts', `// ${['FIX', 'ME'].join('')}`],
      ['package-lock.json', `"resolved": "${['https:', '', 'registry.example.com', 'zod.tgz'].join('/')}"`],
      ['.npmrc', ['registry', 'https://example.com'].join('=')],
      ['README.md', `cd ${['', 'home', 'someone', 'project'].join('/')}`],
      ['.ci/run', ['http:', '', '10.0.0.1:4873'].join('/')],
    ],
    good: [
      [
        'README.md',
        'See https://developers.hubspot.com/docs and ./shared/work-queue/queue.sqs.ts; todo lists.',
      ],
      ['shared/records/plan.ts', "import { a } from '../../work-queue/port.ts';"],
    ],
  },
  {
    name: 'no sentence of a message has more than 25 words',
    check: longMessages,
    bad: [['shared/spend/stops.ts', `what: '${'word '.repeat(26)}'`]],
    good: [
      ['shared/spend/stops.ts', `what: '${'word '.repeat(20)}end. ${'word '.repeat(20)}'`],
      ['infra/cli/commands/undo.ts', `\`${'word '.repeat(24)}${'$'}{a.map((each) => each.b)}\``],
      ['shared/identity/countries.ts', `'${'AD '.repeat(40)}'`],
    ],
  },
  {
    name: 'a text on screen names a command as data, so that it carries its stack',
    check: bareCommands,
    bad: [
      ['shared/spend/stops.ts', "whatToDo: 'Run spend resume when the reason is gone.',"],
      ['infra/cli/commands/backfill-quote.ts', "'Next: backfill run 3f2a9c1e'"],
      ['infra/cli/commands/undo.ts', "'To undo it: undo --backfill 3f2a9c1e'"],
      ['shared/spend/page/notices.ts', '<code>npm run -s cli -- doubts list</code> shows each'],
    ],
    good: [
      ['shared/spend/stops.ts', "whatToDo: ['Run ', command('spend resume')],"],
      ['infra/cli/commands/backfill-quote.ts', '[command(`backfill run 3f2a9c1e`)]'],
      ['infra/cli/commands/doubts.ts', '/** `doubts list|resolve`: requests without an answer. */'],
      ['infra/cli/commands/doubts.ts', ".description('buy again after spend stop')"],
      ['infra/aws/deploy/deploy.ts', "'npm run -s cli -- setup --stack NAME'"],
    ],
  },
];

const files = readTree(resolve(import.meta.dirname, '../../..'));

describe('house style', () => {
  it('reads the whole tree', () => {
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'package.json',
        'shared/kernel/time.ts',
        'test/tools/style/house-style.test.ts',
      ]),
    );
    expect(paths.some((path) => path.includes('node_modules'))).toBe(false);
  });

  it.each(RULES)('$name', ({ check }) => {
    expect(files.flatMap(check)).toEqual([]);
  });

  it.each(RULES)('finds what breaks the rule: $name', ({ check, bad, good }) => {
    const isFaulty = ([path, text = '']: Sample) => check({ path, text }).length > 0;
    expect(bad.filter((sample) => !isFaulty(sample))).toEqual([]);
    expect(good.filter(isFaulty)).toEqual([]);
  });
});
