import { resolve } from 'node:path';
import type { Lane } from '#shared/crm';
import type { TableName } from '#shared/store';

/** The folders of `functions`. Each folder is one Lambda function. */
export const FUNCTIONS = [
  'receive-webhook',
  'enrich-records',
  'refresh-stale',
  'reconcile',
  'report-spend',
  'serve-hubspot',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

export const LANE_IDS: Readonly<Record<Lane, string>> = { urgent: 'Urgent', live: 'Live', bulk: 'Bulk' };

/** Name of the stack with the lasting resources. The compute stack has the installation's own name. */
export function dataStackName(stackName: string): string {
  return `${stackName}-data`;
}

/** Fixed names, by which the compute stack finds the tables. An export would lock one stack to the other. */
export function tableName(stackName: string, table: TableName): string {
  return `${stackName}-${table}`;
}

/** The table that the functions use: the stack's own table, or a restored table that the settings name. */
export function usedTable(
  {
    stackName,
    ledgerTable,
    proofTable,
  }: { stackName: string; ledgerTable?: string | undefined; proofTable?: string | undefined },
  table: TableName,
): string {
  const restored = { ledger: ledgerTable, proof: proofTable, state: undefined }[table];
  return restored ?? tableName(stackName, table);
}

export const STACK_PARAMETERS = ['apiId', 'accessLog', 'webhookUrl', 'installedAt'] as const;
export type StackParameter = (typeof STACK_PARAMETERS)[number];

/** `apiId` -> `ApiId` */
export function stackParameterId(parameter: StackParameter): string {
  return `${parameter.slice(0, 1).toUpperCase()}${parameter.slice(1)}`;
}

/** `apiId` -> `/crm-enrichment/api-id` */
export function stackParameterName(stackName: string, parameter: StackParameter): string {
  return `/${stackName}/${parameter.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Prefix of the installation's secrets, one for each purpose. */
export function secretPrefix(stackName: string): string {
  return `/${stackName}`;
}

/** Path for HubSpot's deliveries, on any domain. The paths for HubSpot's cards and actions lie below it. */
export const WEBHOOK_PATH = '/hubspot';
export const WEBHOOK_ROUTE = `POST ${WEBHOOK_PATH}`;

/** The alias of each function that all callers use. `npm run back` points it to an earlier version. */
export const LIVE_ALIAS = 'live';

export function releaseText(release: string): string {
  return `release ${release}`;
}

/** Output with the settings that every deployment must keep. */
export const LASTING_OUTPUT = 'LastingSettings';

/** The folder of `package.json` and `cdk.json`, independent of the working directory. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../..');
