import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Invoked {
  /** What the handler returned, through JSON. */
  readonly result: unknown;
  readonly error?: string;
}

export interface LambdaProcess {
  invoke(event: unknown): Promise<Invoked>;
  /** The lines of standard output and then of standard error so far, parsed: CloudWatch gets both. */
  lines(): Readonly<Record<string, unknown>>[];
  end(): Promise<void>;
}

/** What Lambda's runtime does: imports the bundle, then hands it events one by one. */
const RUNTIME = `
// Node itself would quote the line that threw, which in a bundle is a million characters long.
const { handler } = await import(process.argv[1]).catch((error) => {
  console.error(String(error));
  process.exit(1);
});
let count = 0;
process.on('message', async (event) => {
  count += 1;
  const endsAt = performance.now() + 300_000;
  const context = {
    awsRequestId: 'request-' + count,
    functionName: 'a-function',
    getRemainingTimeInMillis: () => endsAt - performance.now(),
  };
  try {
    process.send({ result: (await handler(event, context)) ?? null });
  } catch (error) {
    process.send({ result: null, error: String(error) });
  }
});
process.send('ready');
`;

/**
 * A function's bundle in a process of its own, with nothing in its environment but `env`.
 * @throws Error with what it wrote to standard error, when it cannot be imported
 */
export async function startLambda(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<LambdaProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', RUNTIME, file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const answer = async (): Promise<unknown> => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const closed = once(child, 'close', { signal }).then(() => Promise.reject(new Error(err)));
    const told = once(child, 'message', { signal }).then(([message]) => message);
    const first = Promise.race([told, closed]);
    return first.finally(() => {
      stopping.abort();
      void Promise.allSettled([closed, told]);
    });
  };
  await answer();
  return {
    invoke: async (event) => {
      const invoked = answer();
      child.send(Object(event));
      return (await invoked) as Invoked;
    },
    lines: () =>
      `${out}${err}`
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    end: async () => {
      if (child.exitCode !== null) return;
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
}
