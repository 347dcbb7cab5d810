import { systemClock } from '#shared/kernel/adapters';
import type { Question } from '#shared/questions';
import {
  createDataServiceSandbox,
  type DataServiceSandbox,
  type Settings,
} from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { type Served, serveSandbox } from '../../../infra/sandbox/serve.ts';

/** What the data service has seen of one question. */
export interface Seen {
  requests: number;
  credits: number;
}

export interface CountedService {
  readonly sandbox: DataServiceSandbox;
  /** By the question's own parameter. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** A door of its own for one worker. `onWork` is called when a request has been worked on, before its answer leaves. */
  open(onWork?: (requests: number) => void): Promise<Served>;
  close(): Promise<void>;
}

/** The stand-in on ports of this process, with a list of what each question was charged. */
export function createCountedService(settings: Partial<Settings>, seed: number): CountedService {
  const sandbox = createDataServiceSandbox({ clock: systemClock, settings, seed });
  const seen = new Map<string, Seen>();
  const doors: Served[] = [];
  /** The stand-in charges in the same step in which it takes a request, so the bill tells what this one cost. */
  const handle = (request: Request): Promise<Response> => {
    const before = sandbox.bill().creditsCharged;
    const answer = sandbox.handle(request);
    const credits = sandbox.bill().creditsCharged - before;
    const subject = subjectOfRequest(request);
    const known = seen.get(subject) ?? { requests: 0, credits: 0 };
    seen.set(subject, { requests: known.requests + 1, credits: known.credits + credits });
    return answer;
  };
  return {
    sandbox,
    seen,
    open: async (onWork = () => undefined) => {
      let requests = 0;
      const door = await serveSandbox({
        port: 0,
        handle: (request) => {
          const answer = handle(request);
          requests += 1;
          onWork(requests);
          return answer;
        },
      });
      doors.push(door);
      return door;
    },
    close: async () => {
      await Promise.all(doors.map((door) => door.close()));
    },
  };
}

export function subjectOf({ by }: Question): string {
  const { domain, email, profileUrl } = by;
  return domain ?? email ?? profileUrl ?? '';
}

function subjectOfRequest({ url }: Request): string {
  const { searchParams } = new URL(url);
  return searchParams.get('domain') ?? searchParams.get('email') ?? searchParams.get('network_url') ?? '';
}
