export {
  createClaims,
  createCounted,
  createCursors,
  createDynamoDays,
  createDynamoWriteBreakers,
  createIndexLag,
  createPortal,
  createPortalToRead,
  createRecordPasses,
  createRetentionPasses,
  createWriteJournal,
} from './stores.dynamo.ts';
