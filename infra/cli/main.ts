#!/usr/bin/env node
import { endOnStrayErrors } from '../local/failure.ts';
import { readEnvFile } from '../local/settings.ts';
import { run } from './run.ts';
import { processIo } from './terminal/terminal.ts';

// A reader such as `head` can close the pipe early. This is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

endOnStrayErrors();
readEnvFile();
process.exitCode = await run(process.argv.slice(2), processIo());
// Ends a failed command soon, even if it has left resources open.
setTimeout(() => process.exit(), 2_000).unref();
