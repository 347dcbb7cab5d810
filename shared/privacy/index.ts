export { auditDeletions, type DeletionAuditServices, type DeletionCounts } from './audit-deletions.ts';
export { createForgetting, FORGOTTEN_REASON } from './forget-record.ts';
export { keepAnswered, keepPerson } from './keep-person.ts';
