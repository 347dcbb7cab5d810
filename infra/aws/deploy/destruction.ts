import { ConfigurationError } from '../configuration.ts';
import { dataStackName } from '../names.ts';
import type { FoundStack } from './deployed-stack.ts';

export interface Destruction {
  readonly stackName: string;
  /** One of the two stacks, if either exists. */
  readonly stack: FoundStack | undefined;
  /** Messages in the queues. */
  readonly waiting: number;
  /** True if all stored data is deleted too. */
  readonly withData: boolean;
}

/** Lists the place, everything that is deleted, and everything that stays. */
export function destructionLines({ stackName, stack, waiting, withData }: Destruction): readonly string[] {
  const where = stack ? `In account ${stack.accountId}, region ${stack.region}, the` : 'The';
  const data = dataStackName(stackName);
  return [
    `${where} stack ${stackName} (${stack?.status ?? 'gone already'}) will be deleted${withData ? `, and ${data} with it` : ''}:`,
    `  - the functions, alarms and the dashboard; logs stay until their retention ends`,
    `  - the queues, with ${waiting === 0 ? 'no messages in them' : `${waiting} messages: their work is lost, including privacy deletions and merges`}`,
    ...(withData
      ? [
          '  - the ledger: afterwards, spend can be neither shown nor proved',
          '  - all paid answers: to get them again, you pay again',
          '  - the suppression list: forgotten people would be looked up again',
          '  - the state of each record, and the write journal: afterwards, no write can be undone or explained',
          '  - the keys, and the webhook address: HubSpot needs the next address',
          `Only logs stay, until their retention ends, and there is no way back. Export the ledger first, if you may need it: npm run -s cli -- ledger export --stack ${stackName}`,
        ]
      : [
          `What stays: ${data} with ledger, answers, records and journal, the webhook's address, the time of installation, and the keys.`,
          'Without functions, HubSpot repeats each delivery for a day. Deploy again within that day.',
        ]),
  ];
}

/**
 * Asks the person to type the stack's name. If the data is deleted too, `--yes` does not replace this.
 * @param wish.ask shows the question and resolves with the typed line. Absent without a terminal
 * @throws ConfigurationError if the person does not agree
 */
export async function agreeToDestroy(wish: {
  readonly stackName: string;
  readonly yes: boolean;
  readonly withData: boolean;
  readonly ask: ((question: string) => Promise<string>) | undefined;
}): Promise<void> {
  const { stackName, yes, withData, ask } = wish;
  if (yes && !withData) return;
  if (!ask) throw new ConfigurationError('no-terminal', {});
  const answer = await ask(`Type the name of the stack to delete it: `);
  if (answer.trim() !== stackName) throw new ConfigurationError('other-name', {});
}
