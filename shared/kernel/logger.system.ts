import { type LogFields, type Logger, onlyAllowedFields } from './logger.ts';
import type { Clock } from './time.ts';

/** Writes one JSON object for each line, with allowed fields only, to standard output or to `write`. */
export function createJsonLogger(clock: Clock, write: (line: string) => void = console.log): Logger {
  const log =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      write(
        JSON.stringify({
          time: new Date(clock.now()).toISOString(),
          level,
          event,
          ...onlyAllowedFields(fields),
        }),
      );
  return { info: log('info'), warn: log('warn'), error: log('error') };
}
