import { UpstreamError } from '#shared/kernel/errors.ts';
import { readSettings, SettingsError } from './settings.ts';

try {
  const settings = readSettings(process.argv.slice(2), process.env);
  // Loaded only now, because it is much: a wrong setting is told at once.
  const { start } = await import('./start.ts');
  process.exitCode = await start(settings, (line) => console.log(line));
} catch (error) {
  const expected = error instanceof SettingsError || error instanceof UpstreamError;
  console.error(expected ? error.message : error);
  // Not the exit code alone: what was opened before it failed would keep the process alive.
  process.exit(1);
}
