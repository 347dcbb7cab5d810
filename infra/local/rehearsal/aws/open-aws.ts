import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock as clock, systemIds as newId } from '#shared/kernel/adapters';
import { ConfigurationError } from '../../../aws/configuration.ts';
import { settleAccess } from '../../../aws/deploy/access.ts';
import { describeStack } from '../../../aws/deploy/deployed-stack.ts';
import { signedCall } from '../../../aws/deploy/signed-call.ts';
import { PROJECT_ROOT } from '../../../aws/project-root.ts';
import { SettingsError } from '../../settings.ts';
import { awsJournalFile } from '../journal-file.ts';
import { partOf } from '../json-parts.ts';
import { openOwnStack } from './own-stack.ts';
import type { AwsRehearsal } from './rehearse-aws.ts';
import { openStandInServices } from './stand-in-services.ts';

/**
 * Settings that name resources of another installation. The removal at the end of the rehearsal would delete them, or
 * HubSpot would call them.
 */
const FOREIGN_SETTINGS = ['ledgerTable', 'suppressionTable', 'publicUrl', 'hubSpotPortalId'];

export interface AwsRehearsalOptions {
  readonly dataFolder: string;
  readonly hubSpotUrl: string | undefined;
  readonly dataServiceUrl: string | undefined;
  readonly ask: (question: string) => Promise<string>;
  readonly say: (line: string) => void;
}

/** Reads the account of the credentials, and creates nothing. @throws SettingsError, ConfigurationError */
export async function openAwsRehearsal(options: AwsRehearsalOptions): Promise<AwsRehearsal> {
  const { dataFolder, hubSpotUrl, dataServiceUrl, say } = options;
  refuseUnfitProjectFolder();
  if ((hubSpotUrl === undefined) !== (dataServiceUrl === undefined))
    throw new SettingsError('Give both --hubspot and --data-service, or neither.');
  const services =
    hubSpotUrl === undefined || dataServiceUrl === undefined
      ? undefined
      : await openStandInServices(hubSpotUrl, dataServiceUrl);
  await settleAccess(process.env, options.ask).catch((error: unknown) => {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new SettingsError(error.message);
  });
  return {
    accountId: await callerAccount(),
    region: process.env['AWS_REGION'] ?? '',
    journal: awsJournalFile(dataFolder),
    dataFolder,
    clock,
    newId,
    isReal: process.env['AWS_ENDPOINT_URL'] === undefined,
    services,
    open: (name) => openOwnStack({ name, services, dataFolder, env: process.env, say }),
    say,
  };
}

/**
 * Requires the CDK's bucket for the functions' code. A rehearsal does not create it, because other stacks use it too.
 */
export async function refuseUnbootstrapped(): Promise<void> {
  if (await describeStack('CDKToolkit')) return;
  throw new SettingsError(
    'This account and region are not bootstrapped for the CDK, and a rehearsal does not do this. First run: npx cdk bootstrap',
  );
}

function refuseUnfitProjectFolder(): void {
  const file = join(PROJECT_ROOT, 'cdk.json');
  // The packaged command line has neither the deployment's code nor `cdk.json`.
  if (!existsSync(join(PROJECT_ROOT, 'infra/aws/deploy/deploy.ts')))
    throw new SettingsError('rehearse aws deploys the project: run it in the folder of the project.');
  const context = partOf(JSON.parse(readFileSync(file, 'utf8')), 'context');
  const given = FOREIGN_SETTINGS.filter((name) => partOf(context, name) !== undefined);
  if (given.length === 0) return;
  throw new SettingsError(
    `cdk.json has ${given.join(', ')}, which belong to your installation: rehearse in a fresh copy of the project.`,
  );
}

async function callerAccount(): Promise<string> {
  const body = new URLSearchParams({ Action: 'GetCallerIdentity', Version: '2011-06-15' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const xml = await signedCall({ service: 'sts', headers, body });
  const account = /<Account>(\d+)<\/Account>/.exec(xml)?.[1];
  if (account === undefined) throw new SettingsError('AWS does not say whose account this is.');
  return account;
}
