import type { Bill } from './bill.ts';
import { ApiError, badRequest, errorBody } from './errors.ts';
import { readJson } from './json-body.ts';
import type { View } from './operation.ts';
import { readPosition } from './parameters.ts';
import { companyProfileRecord } from './records/company-profile-record.ts';
import { EVERYTHING, personRecord } from './records/person-record.ts';
import type { LoggedRequest } from './request-log.ts';
import { readSettings, type Settings } from './settings.ts';
import { currentStaff } from './world/employment.ts';
import type { Company, Person } from './world/types.ts';

/** State that the `/_sandbox` verbs read and change. */
export interface Controlled {
  view(): View;
  bill(): Bill;
  requests(): readonly LoggedRequest[];
  settings(): Settings;
  /** Merges settings. */
  change(settings: Partial<Settings>): void;
  reset(): void;
}

export interface ControlReply {
  readonly status: number;
  readonly body: unknown;
}

export const CONTROL_PATH = '/_sandbox/';

/** Answers a `/_sandbox` verb. It needs no key, and counts neither in the rate limit nor on the bill. */
export async function control(request: Request, url: URL, controlled: Controlled): Promise<ControlReply> {
  try {
    return { status: 200, body: await perform(request, url, controlled) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: errorBody(error) };
  }
}

async function perform(request: Request, url: URL, controlled: Controlled): Promise<unknown> {
  switch (`${request.method} ${url.pathname.slice(CONTROL_PATH.length)}`) {
    case 'GET bill':
      return controlled.bill();
    case 'GET requests':
      return { requests: controlled.requests() };
    case 'GET records':
      return { records: listRecords(url.searchParams, controlled.view()) };
    case 'GET settings':
      return controlled.settings();
    case 'PUT settings':
      controlled.change(readSettings(await readJson(request)));
      return controlled.settings();
    case 'POST reset':
      controlled.reset();
      return controlled.settings();
    default:
      throw new ApiError(
        404,
        'Known verbs: GET bill, GET requests, GET records, GET settings, PUT settings, POST reset',
      );
  }
}

const DEFAULT_LIMIT = 100;

function listRecords(query: URLSearchParams, view: View): unknown[] {
  const limit = readLimit(query.get('limit'));
  const offset = readPosition(query.get('offset') ?? undefined, 'offset');
  const kind = query.get('kind');
  const asFacts = query.get('view') === 'facts';
  const slice = <T>(all: readonly T[]) => all.slice(offset, offset + limit);
  if (kind === 'person') {
    return slice(view.world.people).map((one) => (asFacts ? personFacts(one) : fullPerson(one, view)));
  }
  if (kind === 'company') {
    return slice(view.world.companies).map((one) => (asFacts ? one : fullCompany(one, view)));
  }
  throw badRequest('kind must be person or company');
}

function readLimit(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badRequest('limit must be a whole number');
}

function fullPerson(person: Person, { nowMs }: View): unknown {
  return personRecord(person, nowMs, EVERYTHING);
}

function fullCompany(company: Company, { world, nowMs }: View): unknown {
  const options = { funding: true, technology: true, contacts: true };
  return companyProfileRecord(company, { staff: currentStaff(world, company, nowMs), nowMs, options });
}

/** Facts about a person that no answer shows: skills, all jobs, the next job. */
function personFacts(person: Person): unknown {
  const withoutCompany = (job: Person['job'] | undefined) =>
    job === undefined ? undefined : { ...job, company: job.company.id };
  return { ...person, job: withoutCompany(person.job), nextJob: withoutCompany(person.nextJob) };
}
