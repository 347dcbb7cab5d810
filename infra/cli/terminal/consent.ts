import type { CliIo } from './cli-io.ts';
import { CliError, EXIT } from './exit.ts';

/**
 * Asks before something is spent or changed for good.
 * @param question one line that says what, without a question mark.
 * @throws CliError where nobody agrees, or nobody is there to be asked.
 */
export async function consent(
  io: CliIo,
  { question, yes }: { question: string; yes: boolean },
): Promise<void> {
  if (yes) return;
  if (!io.terminal) {
    throw new CliError(`${question}; nobody can be asked here, so add --yes to agree.`, {
      exit: EXIT.usage,
      code: 'not-asked',
    });
  }
  const answer = await io.terminal.ask(`${question}. Go on? [y/N] `);
  if (/^y(?:es)?$/i.test(answer.trim())) return;
  throw new CliError('Nothing was asked, nothing was spent or changed.', {
    exit: EXIT.failed,
    code: 'declined',
  });
}
