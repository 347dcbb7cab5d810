export { OPTIONAL_KEYS, SECRET_KEYS, type SecretKey, secretName } from './names.ts';
export { parseSecrets, secretsEnvSchema } from './schemas.ts';
export type { Secrets } from './secrets.ts';
