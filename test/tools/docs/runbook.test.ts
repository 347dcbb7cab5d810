import { describe, expect, it } from 'vitest';
import about from '../../../package.json' with { type: 'json' };
import { commandsIn, onlyReads, problemOf, scriptsIn, writtenRunbook } from './commands.ts';
import { longSentences } from './documents.ts';

const text = writtenRunbook();
const commands = commandsIn(text);

describe('the commands of the runbook', () => {
  it.each([...new Set(commands.map((words) => words.join(' ')))])(
    '%s is accepted, and names its stack',
    async (line) => {
      const words = commands.find((one) => one.join(' ') === line) ?? [];
      expect(await problemOf(words, { needsStack: true })).toBeUndefined();
    },
  );

  it('are found, the reading ones and the writing ones', () => {
    expect(commands.filter(onlyReads).length).toBeGreaterThan(20);
    expect(commands.filter((words) => !onlyReads(words)).length).toBeGreaterThan(10);
  });

  it('are scripts of package.json where they begin with npm run', () => {
    const scripts = scriptsIn(text);
    expect(scripts).toContain('deploy');
    expect(scripts.filter((name) => !(name in about.scripts))).toEqual([]);
  });
});

it.each([
  ['Look at `doubts list`.', 'lacks-stack'],
  ['```sh\nnpm run -s cli -- ledger verify\n```', 'lacks-stack'],
  ['`doubts list --stack other`', 'lacks-stack'],
  ['`doubts lost --stack NAME`', 'unknown-command'],
  ['`dubts list --stack NAME`', 'unknown-command'],
  ['`budgets --months 2 --stack NAME`', 'unknown-option'],
  ['`ledger grant --credits many --note x --stack NAME`', 'not-a-number'],
  ['`doubts resolve 5e884898 --note x --stack NAME`', 'one-of-two'],
])('a command that misleads is found: %s', async (markdown, code) => {
  const [words = [], ...others] = commandsIn(markdown);
  expect(others).toEqual([]);
  expect(await problemOf(words, { needsStack: true })).toMatchObject({ code });
});

it('the runbook has no sentence of more than 25 words', () => {
  expect(longSentences(text)).toEqual([]);
});
