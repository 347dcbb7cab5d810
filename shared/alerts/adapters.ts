export { type AlarmSubscriptions, alarmMailProblem, readAlarmSubscriptions } from './alarm-mail.sns.ts';
export { openTell } from './webhook.http.ts';
