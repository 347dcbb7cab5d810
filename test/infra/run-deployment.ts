import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ConfigurationError } from '../../infra/aws/configuration.ts';
import type { ConfigurationFault, FaultFigures } from '../../infra/aws/configuration-faults.ts';
import { PROJECT_ROOT } from '../../infra/aws/project-root.ts';

const SERVICE = ['-c', 'dataServiceBaseUrl=https://api.service.test'];

/** What a command prints if it refuses for this reason. */
export function refused<Code extends ConfigurationFault>(code: Code, params: FaultFigures<Code>): string {
  return `${new ConfigurationError(code, params).message}\n`;
}

/** Runs a command of `infra/aws/deploy` against a played account, without a terminal. */
export function runDeployment(
  command: 'back' | 'deploy' | 'destroy' | 'diff',
  url: string,
  ...flags: readonly string[]
): Promise<{ readonly code: unknown; readonly output: string }> {
  const { PATH } = process.env;
  const keys = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'eu-central-1' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(PROJECT_ROOT, `infra/aws/deploy/${command}.ts`), ...SERVICE, ...flags],
      { env: { PATH, ...keys, AWS_ENDPOINT_URL: url } },
      (error, out, err) => resolve({ code: error?.code ?? 0, output: out + err }),
    ).stdin?.end();
  });
}
