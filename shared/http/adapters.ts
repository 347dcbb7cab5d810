export { createUndiciSend } from './send.undici.ts';
