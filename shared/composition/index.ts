export { commonEnvSchema, hubSpotEnvSchema, queuesEnvSchema, tablesEnvSchema } from './env.ts';
export { TABLE_NAMES, type TableName } from './names.ts';
