import { join } from 'node:path';
import { recordKey } from '#shared/crm';
import { systemClock } from '#shared/kernel/adapters';
import { type RecordState, recordKind } from '#shared/records';
import { type DeployedStack, describeStack } from '../../../infra/aws/deploy/stacks.ts';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { connectStack } from '../../../infra/cli/connection/stack-connection.ts';
import type { RecordName } from '../../harness/hubspot-portal.ts';
import { eventually, holds, PATIENCE_S } from './checklist.ts';
import type { StandIns } from './stand-ins.ts';
import type { Workshop } from './workshop.ts';

export const STACK = 'crm-enrichment';

/** Runs an operator's commands on the deployed stack, and reads its state. */
export type Stack = ReturnType<typeof createStack>;

export function createStack(workshop: Tools, standIns: Services, name = STACK) {
  return { ...createCommands(workshop, standIns, name), ...createViews(workshop, name) };
}

/** The parts of a workshop that commands need. */
type Tools = Pick<Workshop, 'processes' | 'env' | 'folder'>;
/** The services that an installation is deployed with. */
type Services = Pick<StandIns, 'dataServiceUrl' | 'hubSpotUrl' | 'appId' | 'keys'>;

export const CDK = join(PROJECT_ROOT, 'node_modules/aws-cdk/bin/cdk');

/** Each command as it is typed. */
function createCommands({ processes, env, folder }: Tools, standIns: Services, name: string) {
  const contextOf = (more: Readonly<Record<string, string>> = {}) =>
    contextArgs(standIns, { stackName: name, ...more });
  const told: string[] = [];
  const attemptNode = async (args: readonly string[], more: NodeJS.ProcessEnv = {}, input?: string) => {
    const ran = await processes.run([process.execPath, ...args], {
      cwd: PROJECT_ROOT,
      env: { ...env, ...more },
      ...(input !== undefined && { input }),
    });
    told.push(ran.output);
    return ran;
  };
  const runNode = async (args: readonly string[], more: NodeJS.ProcessEnv = {}, input?: string) => {
    const ran = await attemptNode(args, more, input);
    holds(
      ran.code === 0,
      `node ${args.join(' ')} ended with ${ran.code}: ${ran.output.trim().slice(-2_000)}`,
    );
    return ran;
  };
  const run = (script: string, args: readonly string[], more: NodeJS.ProcessEnv = {}, input?: string) =>
    runNode([join(PROJECT_ROOT, script), ...args], more, input);
  const { keys } = standIns;
  const given = {
    DATA_SERVICE_API_KEY: keys.dataServiceApiKey,
    HUBSPOT_ACCESS_TOKEN: keys.hubSpotAccessToken,
    HUBSPOT_CLIENT_SECRET: keys.hubSpotClientSecret,
  };
  return {
    /** `npm run deploy`, with the keys in its environment unless others are given. @returns its output */
    deploy: async (more: Readonly<Record<string, string>> = {}, secrets: NodeJS.ProcessEnv = given) =>
      (await run('infra/aws/deploy/deploy.ts', [...contextOf(more), UNCHECKED], secrets)).output,
    /** Runs one of the CDK commands, and accepts any exit code. */
    attempt: (script: 'back' | 'deploy' | 'destroy', wish: Attempt = {}) => {
      const { root = PROJECT_ROOT, more, secrets = {}, input } = wish;
      const flags = [...(wish.flags ?? []), ...(script === 'deploy' && !wish.withDoctor ? [UNCHECKED] : [])];
      const args = [join(root, `infra/aws/deploy/${script}.ts`), ...contextOf(more), ...flags];
      return attemptNode(args, secrets, input);
    },
    given,
    name,
    /** Deploys the functions' stack with all constructs moved. */
    deployMoved: async (): Promise<void> => {
      const app = ['--app', 'node test/system/aws/moved-app.ts', '--output', join(folder, 'moved.out')];
      const cdk = [CDK, 'deploy', name, ...app, '--require-approval', 'never', ...contextOf()];
      await runNode(cdk);
    },
    /** `npm run diff`. @returns its output */
    diff: async (): Promise<string> => (await run('infra/aws/deploy/diff.ts', contextOf())).output,
    /** `npm run destroy`. */
    destroy: async (): Promise<void> => {
      await run('infra/aws/deploy/destroy.ts', [...contextOf(), '--yes']);
    },
    /** `npm run destroy -- --with-data`. @param typed answer to its question */
    destroyAll: async (typed: string): Promise<void> => {
      await run('infra/aws/deploy/destroy.ts', [...contextOf(), '--with-data'], {}, typed);
    },
    /** `npm run cli -- --stack ... --json`. @returns its results */
    cli: async (...args: string[]) => {
      const { results } = await run('infra/cli/main.ts', [...args, '--stack', name, '--json']);
      return JSON.parse(results);
    },
    /** Runs a command exactly as typed, and accepts any exit code. */
    asTyped: async (words: readonly string[]) => {
      const main = join(PROJECT_ROOT, 'infra/cli/main.ts');
      const ran = await processes.run([process.execPath, main, ...words], { cwd: PROJECT_ROOT, env });
      told.push(ran.output);
      return ran;
    },
    /** The output of all commands. */
    told: () => told.join('\n'),
  };
}

/** Allows faults of `doctor`, because some deployments run before `setup` or with wrong settings. */
const UNCHECKED = '--skip-doctor';

export interface Attempt {
  /** Folder of another copy of the project. */
  readonly root?: string;
  /** Settings that override the default ones of this test. */
  readonly more?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** Includes the check at the end of a deployment. */
  readonly withDoctor?: boolean;
  readonly secrets?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** The settings of this test. */
export function contextArgs(
  standIns: Omit<Services, 'keys'>,
  more: Readonly<Record<string, string>>,
): readonly string[] {
  const settings = {
    dataServiceBaseUrl: standIns.dataServiceUrl,
    hubSpotBaseUrl: standIns.hubSpotUrl,
    hubSpotAppId: String(standIns.appId),
    // The shortest interval of EventBridge Scheduler.
    reconcileSchedule: 'rate(1 minute)',
    refreshSchedule: 'cron(* * * * ? *)',
    ...more,
  };
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

function createViews({ env }: Tools, name: string) {
  const describe = async (): Promise<DeployedStack> => {
    const stack = await describeStack(name);
    holds(stack !== undefined, `There is no stack ${name}.`);
    return stack;
  };
  return {
    describe,
    output: async (key: string): Promise<string> => {
      const value = (await describe()).outputs[key];
      holds(value !== undefined, `The stack has no output ${key}.`);
      return value;
    },
    /** The deployed system's state of a record. */
    state: (record: RecordName) => stateOf(env, name, record),
    /** Waits until a run of the record has ended; the first by default. */
    ended: (record: RecordName, { runs = 1, withinS = PATIENCE_S } = {}): Promise<RecordState> =>
      eventually(
        `The end of run ${runs} of ${recordKey(record)}`,
        async () => {
          const state = await stateOf(env, name, record);
          const isEnded = state?.outcome !== undefined && state.run === undefined && state.runsOpened >= runs;
          return isEnded ? { done: state } : { seen: state?.run ?? state?.outcome ?? 'never looked at' };
        },
        { withinS },
      ),
  };
}

async function stateOf(
  env: NodeJS.ProcessEnv,
  name: string,
  record: RecordName,
): Promise<RecordState | undefined> {
  const connection = await connectStack(name, { env, clock: systemClock });
  try {
    return (await connection.services.records.read(recordKind.key(record)))?.value;
  } finally {
    await connection.close();
  }
}
