import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

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

/** Ends the output of one event: results and output take two ways, so the reader has to know what has arrived. */
const END = 'end of the output\n';

/** What Lambda's runtime does: imports the bundle, then hands it events one by one. */
const RUNTIME = `
const send = (message) => {
  for (const stream of [process.stdout, process.stderr]) stream.write(process.argv[2]);
  process.send(message);
};
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
    send({ result: (await handler(event, context)) ?? null });
  } catch (error) {
    send({ result: null, error: String(error) });
  }
});
send('ready');
`;

/**
 * A function's bundle in a process of its own, with nothing in its environment but `env`.
 * @throws Error with what it wrote to standard error, when it cannot be imported
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

/** Keeps the text of a stream. */
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
    /** Resolves when the output of the next event is here, or the stream has ended. */
    complete: () => whole.promise,
  };
}
