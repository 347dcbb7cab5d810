import { commandsIn, onlyReads, PLACEHOLDER, problemOf, writtenRunbook } from '../../tools/docs/commands.ts';
import { type Checklist, holds, same } from './checklist.ts';
import type { Scene } from './scene.ts';
import { STACK } from './stack.ts';

/** Accepted exit codes: done, and not found. The runbook's records and backfills are examples. */
const GOOD_ENDS: readonly (number | null)[] = [0, 4];

/**
 * Checks every command of the runbook. Reading commands run on the stack exactly as written. Commands that write or
 * spend are only parsed, up to their connection.
 */
export async function checkRunbook(checklist: Checklist, { stack }: Pick<Scene, 'stack'>): Promise<void> {
  const lines = new Map(commandsIn(writtenRunbook()).map((words) => [words.join(' '), words]));
  await checklist.check('every command of the runbook names its stack, and is known', async () => {
    for (const [line, words] of lines) same(line, await problemOf(words, { needsStack: true }), undefined);
    return `${lines.size} commands`;
  });
  const reading = [...lines.values()].filter(onlyReads);
  await checklist.check(
    'the commands of the runbook that only look do so on the stack, and say so',
    async () => {
      for (const words of reading) {
        const typed = words.map((word) => (word === PLACEHOLDER ? STACK : word));
        const { code, output } = await stack.asTyped(typed);
        const end = `${typed.join(' ')} ended with ${code}: ${output.trim().slice(-500)}`;
        holds(GOOD_ENDS.includes(code), end);
        holds(output.includes(`stack ${STACK} (`), `It does not name the stack: ${end}`);
      }
      return `${reading.length} of ${lines.size}`;
    },
  );
}
