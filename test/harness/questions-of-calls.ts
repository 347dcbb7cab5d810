import { LOOKUPS, type Question, type QuestionOperation } from '#shared/questions';
import { QUESTION_OPTIONS } from '#shared/vendor';

/** A call to the data service, by the vendor's names. */
export interface Call {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The question that is priced like a call. */
export function questionOf({ operation: name, params }: Call): Question {
  const operation = name as QuestionOperation;
  const search = JSON.stringify(params);
  if (LOOKUPS[operation].search) return { operation, by: { search }, options: [] };
  const options = QUESTION_OPTIONS.filter((option) => params[`include_${option}`] === 'include');
  return { operation, by: {}, options };
}
