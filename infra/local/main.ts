import { readEnvFile } from './env-file.ts';
import { endOnStrayErrors, errorText } from './failure.ts';
import { HELP, readLocalSettings } from './settings.ts';

// A reader such as `head` may close the pipe early; that is no failure.
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
    // Loaded after the settings are read, because it is slow and a wrong setting should be reported at once.
    const { start } = await import('./start.ts');
    process.exitCode = await start(settings, (line) => console.log(line));
  }
} catch (error) {
  console.error(errorText(error));
  // Open handles would keep the process alive, so an exit code alone is not enough.
  process.exit(1);
}
