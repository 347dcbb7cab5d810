import { rowText, sentenceRow } from '#shared/kernel';
import { ConfigurationError } from '../configuration.ts';
import { dataStackName } from '../names.ts';
import type { FoundStack } from './deployed-stack.ts';
import type { Ask } from './terminal.ts';

export interface Destruction {
  readonly stackName: string;
  /** One of the two stacks, if either exists. */
  readonly stack: FoundStack | undefined;
  /** Messages in the queues. */
  readonly waiting: number;
  /** True if all stored data is deleted too. */
  readonly withData: boolean;
}

const STACK = { stackName: 'crm', status: 'UPDATE_COMPLETE', data: 'crm-data' };

/** Texts before the question, by code. */
export const DESTRUCTION_TEXTS = {
  deleted: sentenceRow(
    { ...STACK, where: 'In account 123456789012, region eu-central-1, the', isWithData: true },
    ({ where, stackName, status, data, isWithData }) =>
      `${where} stack ${stackName} (${status}) will be deleted${isWithData ? `, and ${data} with it` : ''}:`,
  ),
  functions: '  - the functions, alarms and the dashboard; logs stay until their retention ends',
  queues: sentenceRow({ waiting: 3 }, ({ waiting }) =>
    waiting === 0
      ? '  - the queues, with no messages in them'
      : `  - the queues, with ${waiting} messages: their work is lost, including privacy deletions and merges`,
  ),
  stays: sentenceRow(
    STACK,
    ({ data }) =>
      `What stays: ${data} with ledger, answers, records and journal, the webhook's address, the time of installation, and the keys.`,
  ),
  'deploy-soon': 'Without functions, HubSpot repeats each delivery for a day: deploy again within that day.',
};

/** Losses that come with the removal of the data, by code. */
export const LOST_WITH_DATA = {
  ledger: '  - the ledger: afterwards, spend can be neither shown nor proved',
  answers: '  - all paid answers: to get them again, you pay again',
  suppressions: '  - the suppression list: forgotten people would be looked up again',
  records:
    '  - the state of each record, and the write journal: afterwards, no write can be undone or explained',
  keys: '  - the keys, and the webhook address: HubSpot needs the next address',
  'no-way-back': 'Only logs stay, until their retention ends, and there is no way back.',
  export: sentenceRow(
    STACK,
    ({ stackName }) =>
      `Export the ledger first, if you may need it: npm run -s cli -- ledger export --stack ${stackName}`,
  ),
};

/** Lists the place, everything that is deleted, and everything that stays. */
export function destructionLines({ stackName, stack, waiting, withData }: Destruction): readonly string[] {
  const where = stack ? `In account ${stack.accountId}, region ${stack.region}, the` : 'The';
  const data = dataStackName(stackName);
  const status = stack?.status ?? 'gone already';
  const named = { stackName, status, data };
  return [
    DESTRUCTION_TEXTS.deleted.text({ ...named, where, isWithData: withData }),
    DESTRUCTION_TEXTS.functions,
    DESTRUCTION_TEXTS.queues.text({ waiting }),
    ...(withData
      ? Object.values(LOST_WITH_DATA).map((row) => rowText(row, named))
      : [DESTRUCTION_TEXTS.stays.text(named), DESTRUCTION_TEXTS['deploy-soon']]),
  ];
}

/**
 * Asks the person to type the stack's name. If the data is deleted too, `--yes` does not replace this.
 * @param wish.ask absent without a terminal
 * @throws ConfigurationError if the person does not agree
 */
export async function agreeToDestroy(wish: {
  readonly stackName: string;
  readonly yes: boolean;
  readonly withData: boolean;
  readonly ask: Ask | undefined;
}): Promise<void> {
  const { stackName, yes, withData, ask } = wish;
  if (yes && !withData) return;
  if (!ask) throw new ConfigurationError('no-terminal', {});
  const answer = await ask(`Type the name of the stack to delete it: `);
  if (answer.trim() !== stackName) throw new ConfigurationError('other-name', {});
}
