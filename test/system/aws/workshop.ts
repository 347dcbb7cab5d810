import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { createProcesses, type Processes } from './processes.ts';

/** The test's folder, environment and processes. All are removed at the end. */
export interface Workshop {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly processes: Processes;
  /** Log of the stand-in for AWS. */
  readonly logFile: string;
}

/** Cleans up when this process ends, for any reason. */
export function openWorkshop({ port }: { readonly port: number }): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'crm-enrichment-aws-'));
  const processes = createProcesses();
  process.once('exit', () => {
    processes.killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => void processes.endAll().finally(() => process.exit(code)));
  }
  return { folder, env: environment({ folder, port }), processes, logFile: join(folder, 'ministack.log') };
}

const LOCAL = '127.0.0.1,localhost,.localhost';

/** Leaves out this machine's own account, settings and keys, so that every call goes to the stand-in. */
function environment({ folder, port }: { readonly folder: string; readonly port: number }) {
  const foreign =
    /^(?:AWS|CDK|HUBSPOT|DATA_SERVICE|CREDITS|WEBHOOK|MINISTACK|LAMBDA)_|^(?:AUTH|NODE_OPTIONS)$/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const withoutProxy = [process.env['NO_PROXY'] ?? process.env['no_proxy'], LOCAL].filter(Boolean).join(',');
  return {
    ...Object.fromEntries(own),
    // Lambda's code runs on the first `node` in the path: Node 24, as on AWS.
    PATH: [join(PROJECT_ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    GATEWAY_PORT: String(port),
    // The host name that the stand-in gives its queues.
    AWS_ENDPOINT_URL: `http://localhost:${port}`,
    // A numeric address, because otherwise the client would put the bucket before the name.
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_CONFIG_FILE: join(folder, 'no-config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'no-credentials'),
    AWS_EC2_METADATA_DISABLED: 'true',
    NO_PROXY: withoutProxy,
    no_proxy: withoutProxy,
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'localhost-names.ts')).href}`,
  };
}
