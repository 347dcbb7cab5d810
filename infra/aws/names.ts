import type { Lane } from '#shared/crm';
import { TABLE_DEFINITIONS, type TableName } from '#shared/versioned-items';

/** The folders of `functions`, each one Lambda. */
export const FUNCTIONS = [
  'receive-webhook',
  'enrich-records',
  'refresh-stale',
  'reconcile',
  'report-spend',
  'serve-hubspot',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** What a lane's parts are called in the template. */
export const LANE_IDS: Readonly<Record<Lane, string>> = { urgent: 'Urgent', live: 'Live', bulk: 'Bulk' };

/** The stack of what lasts; the stack of everything else has the installation's own name. */
export function dataStackName(stackName: string): string {
  return `${stackName}-data`;
}

/** Of which installation a data stack is. */
export function installationOf(dataStack: string): string {
  return dataStack.replace(/-data$/, '');
}

/** Fixed names: by them the two stacks meet, without an export that would lock one to the other. */
export function tableName(stackName: string, table: TableName): string {
  return `${stackName}-${TABLE_DEFINITIONS[table].suffix}`;
}

/** The table that the functions use: the stack's own, or a restored one that the settings name. */
export function usedTable(
  { stackName, ledgerTable, suppressionTable }: UsedTables,
  table: TableName,
): string {
  const restored = { ledger: ledgerTable, suppression: suppressionTable }[String(table)];
  return restored ?? tableName(stackName, table);
}

interface UsedTables {
  readonly stackName: string;
  readonly ledgerTable?: string | undefined;
  readonly suppressionTable?: string | undefined;
}

/** What the data stack tells the other one, each as a parameter of SSM. */
const TOLD = {
  apiId: 'api-id',
  accessLog: 'access-log',
  webhookUrl: 'webhook-url',
  installedAt: 'installed-at',
} as const;
export type StackParameter = keyof typeof TOLD;

export function stackParameterName(stackName: string, told: StackParameter): string {
  return `/${stackName}/${TOLD[told]}`;
}

/** Under it lie the secrets of the installation, one for each purpose. */
export function secretPrefix(stackName: string): string {
  return `/${stackName}`;
}

/** Under it HubSpot delivers, on whatever domain; what it shows of us lies below. */
export const WEBHOOK_PATH = '/hubspot';
/** Key of its route, as the API's access log has it. */
export const WEBHOOK_ROUTE = `POST ${WEBHOOK_PATH}`;

/** The alias of each function that all callers use. `npm run back` points it to a former version. */
export const LIVE_ALIAS = 'live';

/** How the description of a version names its release. */
export function releaseText(release: string): string {
  return `release ${release}`;
}

/** The output with the settings that no deployment may forget. By it `deploy` knows stacks of other names, too. */
export const LASTING_OUTPUT = 'LastingSettings';
