export { type AlarmSubscriptions, alarmMailProblem, readAlarmSubscriptions } from './alarm-mail.sns.ts';
export { createWebhook } from './webhook.http.ts';
