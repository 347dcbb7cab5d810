import { createParts, type PartsSettings } from '../../shared/enrichment/parts.aws.ts';
import { createUndiciSend } from '../../shared/http/send.undici.ts';
import { systemClock as clock } from '../../shared/kernel/clock.system.ts';
import { SECOND_MS } from '../../shared/kernel/clock.ts';
import { systemIds as newId } from '../../shared/kernel/ids.system.ts';
import { systemRandom as random } from '../../shared/kernel/random.system.ts';
import type { Connection } from './connection.ts';
import { observedSend } from './observed-send.ts';

type Given = Pick<
  PartsSettings,
  'dynamo' | 'tables' | 'installationSecret' | 'policy' | 'dataService' | 'hubSpot' | 'logger'
>;

const HUBSPOT_URL = 'https://api.hubapi.com';

/** The parts as every command has them, wherever their tables are. */
export function openParts(
  given: Given,
): Pick<Connection, 'parts' | 'send' | 'serverClocks' | 'hubSpot' | 'logger' | 'close'> {
  const transport = createUndiciSend({ clock, connectTimeoutMs: 10 * SECOND_MS });
  const { send, serverClocks } = observedSend(transport.send);
  const hubSpot = { ...given.hubSpot, baseUrl: given.hubSpot.baseUrl ?? HUBSPOT_URL };
  const parts = createParts({ ...given, hubSpot, account: 'default', send, clock, random, newId });
  return { parts, send, serverClocks, hubSpot, logger: given.logger, close: transport.close };
}
