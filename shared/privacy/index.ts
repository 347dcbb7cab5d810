export { auditDeletions, type DeletionAuditServices, type DeletionCounts } from './audit-deletions.ts';
export { disclosuresOfPerson, recordKeysOf } from './disclosures-of-person.ts';
export { createForgetting, FORGOTTEN_REASON } from './forget-record.ts';
export {
  cleanedUp,
  identifiersOfRecord,
  indexAnswered,
  indexPerson,
  type Linked,
  linkAnswered,
  linkPerson,
} from './index-person.ts';
export { countDueNotices, countLateNotices, type Notice, unsentNotices } from './notices.ts';
export { exportSubject, type SubjectExport } from './subject-export.ts';
