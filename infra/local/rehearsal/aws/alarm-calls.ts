import { signedCall } from '../../../aws/deploy/signed-call.ts';

const VERSION = '2010-08-01';

/** Calls CloudWatch by its query protocol. @returns XML */
function cloudWatch(Action: string, given: Readonly<Record<string, string>>): Promise<string> {
  const body = new URLSearchParams({ Action, Version: VERSION, ...given }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return signedCall({ service: 'monitoring', headers, body });
}

/** Name of the stack's first alarm. `undefined` if the stack has no alarm. */
export async function firstAlarm(stackName: string): Promise<string | undefined> {
  const xml = await cloudWatch('DescribeAlarms', { AlarmNamePrefix: `${stackName}: `, MaxRecords: '1' });
  return /<AlarmName>([^<]+)<\/AlarmName>/.exec(xml)?.[1];
}

export async function setAlarm(AlarmName: string, StateValue: 'ALARM' | 'OK'): Promise<void> {
  const StateReason = 'Set by the rehearsal of crm-enrichment-sync.';
  await cloudWatch('SetAlarmState', { AlarmName, StateValue, StateReason });
}

/** Whether the alarm's history contains a change of state, and a message that the alarm sent. */
export async function alarmHistory(AlarmName: string): Promise<{ changed: boolean; sent: boolean }> {
  const xml = await cloudWatch('DescribeAlarmHistory', { AlarmName });
  const has = (kind: string) => xml.includes(`<HistoryItemType>${kind}</HistoryItemType>`);
  return { changed: has('StateUpdate'), sent: has('Action') };
}
