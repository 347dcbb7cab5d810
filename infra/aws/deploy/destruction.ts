import { ConfigurationError } from '../configuration.ts';
import type { FoundStack } from './deployed-stack.ts';

export interface Destruction {
  readonly stackName: string;
  readonly stack: FoundStack;
  /** Of what stays, as a person would look for it. */
  readonly kept: readonly string[];
}

/** Where it happens, what goes and what stays. */
export function destructionLines({ stackName, stack, kept }: Destruction): readonly string[] {
  const { status, accountId, region } = stack;
  return [
    `The stack ${stackName} (${status}) in account ${accountId}, region ${region}, will be deleted, and with it:`,
    '  - what is known of each record, and the write journal: nothing can be undone or explained afterwards',
    '  - the queues with all that waits in them, the webhook address, logs, alarms and the dashboard',
    `What stays: ${kept.join(', ') || 'nothing'}.`,
  ];
}

/**
 * Asks for the stack's name, typed out.
 * @param wish.ask shows the question and resolves with the line that was typed; absent where nobody can be asked
 * @throws ConfigurationError unless it is agreed
 */
export async function agreeToDestroy(wish: {
  readonly stackName: string;
  readonly yes: boolean;
  readonly ask: ((question: string) => Promise<string>) | undefined;
}): Promise<void> {
  const { stackName, yes, ask } = wish;
  if (yes) return;
  if (!ask)
    throw new ConfigurationError('Nobody can be asked here: add --yes to agree. Nothing was deleted.');
  const answer = await ask(`Type the name of the stack to delete it: `);
  if (answer.trim() !== stackName) throw new ConfigurationError('That is not its name. Nothing was deleted.');
}
