import { endOnStrayErrors, errorText } from './failure.ts';
import { HELP, readEnvFile, readLocalSettings } from './settings.ts';

// A reader such as `head` can close the pipe early. This is no failure.
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
    // This module loads slowly. It is loaded after the settings are read, so that a wrong setting is reported at
    // once.
    const { start } = await import('./start.ts');
    process.exitCode = await start(settings, (line) => console.log(line));
  }
} catch (error) {
  console.error(errorText(error));
  // Setting an exit code is not enough, because open handles keep the process alive.
  process.exit(1);
}
