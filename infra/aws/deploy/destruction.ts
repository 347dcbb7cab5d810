import { ConfigurationError } from '../configuration.ts';
import { dataStackName } from '../names.ts';
import type { FoundStack } from './deployed-stack.ts';

export interface Destruction {
  readonly stackName: string;
  /** One of the two, where either is there. */
  readonly stack: FoundStack | undefined;
  /** Messages in the queues. */
  readonly waiting: number;
  /** Whether all that was stored goes, too. */
  readonly withData: boolean;
}

/** Where it happens, what goes and what stays. */
export function destructionLines({ stackName, stack, waiting, withData }: Destruction): readonly string[] {
  const where = stack ? `In account ${stack.accountId}, region ${stack.region}, the` : 'The';
  const data = dataStackName(stackName);
  return [
    `${where} stack ${stackName} (${stack?.status ?? 'gone already'}) will be deleted${withData ? `, and ${data} with it` : ''}:`,
    `  - the functions, alarms and the dashboard; logs stay until their retention ends`,
    `  - the queues, with ${waiting === 0 ? 'nothing in them' : `${waiting} messages: what these tell of is lost, privacy deletions and merges, too`}`,
    ...(withData
      ? [
          '  - the ledger: what was spent, and on what, can be neither shown nor proved afterwards',
          '  - all answers that were paid for: to have them again is to pay again',
          '  - the suppression list: forgotten people would be looked up again',
          '  - what is known of each record, and the write journal: nothing can be undone or explained afterwards',
          '  - the keys, and the webhook address: HubSpot has to be told of the next one',
          `Only logs stay, until their retention ends, and there is no way back. Export first what you may need: npm run -s cli -- ledger export --stack ${stackName}`,
        ]
      : [
          `What stays: ${data} with ledger, answers, records and journal, the webhook's address, the time of installation, and the keys.`,
          'While the functions are away HubSpot repeats each delivery for a day; deploy again before that is over.',
        ]),
  ];
}

/**
 * Asks for the stack's name, typed out. For the data nothing else will do.
 * @param wish.ask shows the question and resolves with the line that was typed; absent without a terminal
 * @throws ConfigurationError unless it is agreed
 */
export async function agreeToDestroy(wish: {
  readonly stackName: string;
  readonly yes: boolean;
  readonly withData: boolean;
  readonly ask: ((question: string) => Promise<string>) | undefined;
}): Promise<void> {
  const { stackName, yes, withData, ask } = wish;
  if (yes && !withData) return;
  if (!ask)
    throw new ConfigurationError(
      'There is no terminal to ask for agreement: add --yes to agree. Nothing was deleted.',
    );
  const answer = await ask(`Type the name of the stack to delete it: `);
  if (answer.trim() !== stackName) throw new ConfigurationError('That is not its name. Nothing was deleted.');
}
