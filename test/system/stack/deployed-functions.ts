import type { Template } from 'aws-cdk-lib/assertions';
import { FUNCTIONS, type FunctionName } from '../../../infra/aws/names.ts';
import { resourceOf } from './synthesised.ts';

type Environment = Readonly<Record<string, string>>;

/** As much of Lambda's context as the handlers use. */
interface Context {
  readonly awsRequestId: string;
  readonly functionName: string;
  getRemainingTimeInMillis(): number;
}

export interface Functions {
  /** Runs a function's real handler in this process, in the environment that the stack gives it. */
  invoke(name: FunctionName, event: object): Promise<unknown>;
}

export interface FunctionsWish {
  readonly template: Template;
  /** By logical id without the CDK's eight characters: what a reference to it stands for here. */
  readonly names: Environment;
  /** In place of what the template says, where it says something. */
  readonly instead: Environment;
  /** Beside it, for every function. */
  readonly added: Environment;
  /** Tells these modules from those that were loaded for another wish: main files read their environment once. */
  readonly loadedAs: string;
}

/** Each function calls AWS with an access key of its own name. */
export function openFunctions(wish: FunctionsWish): Functions {
  const environments = new Map(FUNCTIONS.map((name) => [name, environmentOf(wish, name)]));
  let invocations = 0;
  return {
    invoke: async (name, event) => {
      const before = { ...process.env };
      Object.assign(process.env, environments.get(name));
      try {
        const main = new URL(`../../../functions/${name}/main.ts?${wish.loadedAs}`, import.meta.url);
        const { handler } = await import(main.href);
        invocations += 1;
        return await handler(event, contextOf(name, invocations));
      } finally {
        for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
        Object.assign(process.env, before);
      }
    },
  };
}

/** receive-webhook -> FunctionsReceiveWebhook */
export function logicalIdOf(name: FunctionName): string {
  return `Functions${name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

function contextOf(functionName: string, nth: number): Context {
  return { awsRequestId: `request-${nth}`, functionName, getRemainingTimeInMillis: () => 300_000 };
}

/** What the template gives the function, and what Lambda adds to it. */
function environmentOf(wish: FunctionsWish, name: FunctionName): Environment {
  const written = resourceOf(wish.template, 'AWS::Lambda::Function', logicalIdOf(name));
  const given = Object.entries(Object(Object(written.Properties['Environment']).Variables));
  const own = given.map(([key, value]) => [key, wish.instead[key] ?? resolved(value, wish.names)]);
  const runtime = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: name, AWS_SECRET_ACCESS_KEY: 'local' };
  return { ...runtime, ...Object.fromEntries(own), ...wish.added };
}

function resolved(value: unknown, names: Environment): string {
  if (typeof value === 'string') return value;
  const id = String(Object(value).Ref).replace(/[0-9A-F]{8}$/, '');
  const name = names[id];
  if (name === undefined) throw new Error(`The test does not know what ${JSON.stringify(value)} stands for.`);
  return name;
}
