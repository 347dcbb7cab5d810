export {
  createClaims,
  createCounted,
  createDynamoDays,
  createDynamoWriteBreakers,
  createIndexLag,
  createPortal,
  createPortalToRead,
  createRecordPasses,
  createStatus,
  createWriteJournal,
} from './stores.dynamo.ts';
