import type { Kept } from './schemas.ts';

/** The folders of `functions`, each one Lambda. */
export const FUNCTIONS = [
  'receive-webhook',
  'enrich-records',
  'refresh-stale',
  'reconcile',
  'report-spend',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** As in `shared/crm/lane.ts`, which a test compares. */
export const LANES = ['urgent', 'live', 'bulk'] as const;
export type Lane = (typeof LANES)[number];

/** What a lane's parts are called in the template. */
export const LANE_IDS: Readonly<Record<Lane, string>> = { urgent: 'Urgent', live: 'Live', bulk: 'Bulk' };

/** Fixed names, so that the next stack of the same name finds what this one left behind. */
export function keptName(stackName: string, kept: Kept): string {
  return kept === 'secret' ? `/${stackName}/secrets` : `${stackName}-${kept}`;
}

/** The output with the settings that no deployment may forget. By it `deploy` knows stacks of other names, too. */
export const LASTING_OUTPUT = 'LastingSettings';

/** Days for which the bill can be restored to any second: the most that DynamoDB has. */
export const RECOVERY_DAYS = 35;

/** Logical ids of what is kept, as `deploy` looks for them in the stack. */
export const KEPT_LOGICAL_IDS: Readonly<Record<Kept, string>> = {
  ledger: 'Ledger',
  questions: 'Questions',
  secret: 'Secret',
};
