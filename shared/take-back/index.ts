export { type BulkWriter, type InFlight, inFlightWords } from './bulk-writers.ts';
export {
  type Facts,
  journalEntryOf,
  type PlannedFor,
  readFacts,
  type TakeBackPlan,
  type TakeBackServices,
  type TakenBack,
  type TakingBack,
  takeBack,
  type Wanted,
  whyNotOurs,
} from './take-back.ts';
export { type UndoReport, type UndoResult, undoRecord, undoRecords, writtenProperties } from './undo.ts';
