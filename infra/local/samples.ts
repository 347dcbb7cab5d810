import type { DataServiceSandbox } from '../sandbox/data-service/data-service-sandbox.ts';
import type { Samples } from '../sandbox/hubspot/verbs.ts';

const SAMPLES_ASKED = 60;

type WorldRecord = Readonly<Record<string, unknown>>;

/** People and companies of the stand-in data service, as HubSpot properties. */
export function samplesFrom({ handle }: Pick<DataServiceSandbox, 'handle'>): Samples {
  return async (typeId) => {
    const isContact = typeId === '0-1';
    const kind = isContact ? 'person' : 'company';
    const path = `/_sandbox/records?kind=${kind}&limit=${SAMPLES_ASKED}`;
    const response = await handle(new Request(`http://stand-in${path}`));
    const { records } = (await response.json()) as { records: readonly WorldRecord[] };
    return records.flatMap((record) => {
      const sample = isContact
        ? { email: record['email'], firstname: record['first_name'], lastname: record['last_name'] }
        : { domain: record['primary_domain'], name: record['name'] };
      return isComplete(sample) ? [sample] : [];
    });
  };
}

function isComplete(sample: WorldRecord): sample is Readonly<Record<string, string>> {
  return Object.values(sample).every((value) => typeof value === 'string' && value !== '');
}
