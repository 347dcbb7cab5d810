import { randomUUID } from 'node:crypto';
import type { NewId } from './ids.ts';

export const systemIds: NewId = () => randomUUID();
