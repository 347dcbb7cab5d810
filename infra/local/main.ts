import { readEnvFile } from './env-file.ts';
import { endOnStrayErrors, told } from './failure.ts';
import { HELP, readLocalSettings } from './settings.ts';

// A reader may stop early, as `head` does: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  endOnStrayErrors();
  readEnvFile();
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) console.log(HELP);
  else {
    const settings = readLocalSettings(args, process.env);
    // Loaded only now, because it is much: a wrong setting is told at once.
    const { start } = await import('./start.ts');
    process.exitCode = await start(settings, (line) => console.log(line));
  }
} catch (error) {
  console.error(told(error));
  // Not the exit code alone: what was opened before it failed would keep the process alive.
  process.exit(1);
}
