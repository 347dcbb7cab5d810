import type { AskResult } from '#inside/questions/ask-result.ts';
import type { Question } from '#inside/questions/question.ts';

/** What a worker process is started with, as JSON on its command line. */
export interface WorkerSettings {
  readonly dynamoEndpoint: string;
  readonly dataServiceUrl: string;
  readonly account: string;
  readonly installationSecret: string;
  readonly budgetPerDay: number;
  readonly requestTimeoutMs: number;
  /** Questions that it asks at the same time. */
  readonly concurrency: number;
  /** How long it waits for an answer that another worker is getting. */
  readonly patienceMs: number;
}

/** What a worker is to ask: questions, or groups of companies by their domains. */
export interface Work {
  readonly questions: readonly Question[];
  readonly batches?: readonly (readonly string[])[] | undefined;
}

/** From a worker: it is there; how a question ended; it is through. */
export type Report =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'ended';
      readonly index: number;
      readonly outcome: AskResult['kind'];
      readonly reason: string;
      readonly credits: number;
    }
  | { readonly kind: 'done' };
