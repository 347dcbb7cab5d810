import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export interface Invoked {
  /** Result of the handler, through JSON. */
  readonly result: unknown;
  readonly error?: string;
}

export interface LambdaProcess {
  invoke(event: unknown): Promise<Invoked>;
  /** Parsed lines of standard output, followed by standard error: CloudWatch gets both. */
  lines(): Readonly<Record<string, unknown>>[];
  end(): Promise<void>;
}

/**
 * Ends the output of one event. Results and output use two channels, so the reader has to know when the output is
 * complete.
 */
const END = 'end of the output\n';

/** Simulates Lambda's runtime: imports the bundle, then passes it events one by one. */
const RUNTIME = `
const send = (message) => {
  for (const stream of [process.stdout, process.stderr]) stream.write(process.argv[2]);
  process.send(message);
};
// Node would quote the line of the error, and a line of a bundle has a million characters.
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
    send({ result: (await handler(event, context)) ?? null });
  } catch (error) {
    send({ result: null, error: String(error) });
  }
});
send('ready');
`;

/**
 * Starts a function's bundle in its own process, with only `env` in its environment.
 * @throws Error with the standard error output, if the import fails
 */
export async function startLambda(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<LambdaProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', RUNTIME, file, END], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const answer = async (): Promise<unknown> => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const closed = once(child, 'close', { signal }).then(() => Promise.reject(new Error(err.text())));
    const told = once(child, 'message', { signal }).then(([message]) => message);
    const written = [out.complete(), err.complete()];
    try {
      const message = await Promise.race([told, closed]);
      await Promise.all(written);
      return message;
    } finally {
      stopping.abort();
      void Promise.allSettled([closed, told]);
    }
  };
  await answer();
  return {
    invoke: async (event) => {
      const invoked = answer();
      child.send(Object(event));
      return (await invoked) as Invoked;
    },
    lines: () =>
      `${out.text()}${err.text()}`
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

/** Collects the text of a stream. */
function collect(stream: Readable | null) {
  let text = '';
  let whole = Promise.withResolvers<void>();
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (!text.includes(END)) return;
    text = text.replace(END, '');
    whole.resolve();
    whole = Promise.withResolvers();
  });
  stream?.on('end', () => whole.resolve());
  return {
    text: () => text,
    /** Resolves when the output of the next event is complete, or the stream has ended. */
    complete: () => whole.promise,
  };
}
