export { parseSecrets, secretsEnvSchema } from './schemas.ts';
export { OPTIONAL_KEYS, SECRET_KEYS, type SecretKey, type Secrets, secretName } from './secrets.ts';
