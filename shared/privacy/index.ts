export { auditDeletions, type DeletionAuditServices, type DeletionCounts } from './audit-deletions.ts';
export { createForgetting, FORGOTTEN_REASON } from './forget-record.ts';
export {
  cleanedUp,
  disclosuresOfPerson,
  identifiersOfRecord,
  indexAnswered,
  indexPerson,
  type Linked,
  linkAnswered,
  linkPerson,
  recordKeysOf,
} from './index-person.ts';

export { countDueNotices, countLateNotices, type Notice, unsentNotices } from './notices.ts';
export { exportSubject, type SubjectExport } from './subject-export.ts';
