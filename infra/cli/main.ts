#!/usr/bin/env node
import { readEnvFile } from '../local/env-file.ts';
import { endOnStrayErrors } from '../local/failure.ts';
import { run } from './run.ts';
import { processIo } from './terminal/terminal.ts';

// A reader of the output may stop early, as `head` does: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Node 22 calls its SQLite experimental, which the embedded queue is built on; the reader does not need that warning.
process.removeAllListeners('warning').on('warning', ({ name, message }) => {
  if (name !== 'ExperimentalWarning') process.stderr.write(`${name}: ${message}\n`);
});

endOnStrayErrors();
readEnvFile();
process.exitCode = await run(process.argv.slice(2), processIo());
// Resources that a failed command left open do not delay its end.
setTimeout(() => process.exit(), 2_000).unref();
