export {
  type AskedBy,
  decideWrites,
  holdsOurValue,
  type KeptProperty,
  type KeptReason,
  mayWrite,
  WRITE_VERDICT_TEXTS,
  type WriteVerdictCode,
  type WrittenByOthers,
  wasEmptied,
} from './may-write.ts';
export {
  type AnswerVerdict,
  type Explanation,
  explanationSchema,
  type Ownership,
  ownershipSchema,
  type Verdicts,
  verdictsSchema,
} from './schemas.ts';
export {
  acceptAnswer,
  declineValues,
  entryOf,
  isRejected,
  type Marks,
  mergeOwnership,
  mergeVerdicts,
  type OwnershipChange,
  rejectAnswer,
  verdictOn,
  withOwnership,
} from './transitions.ts';
