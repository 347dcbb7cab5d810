import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { ComputeStack } from '../../../infra/aws/compute-stack.ts';
import { type Configuration, readStackSettings, withPolicy } from '../../../infra/aws/configuration.ts';
import { DataStack } from '../../../infra/aws/data-stack.ts';
import policy from '../../../infra/policy.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** The settings as they are delivered. */
export const DELIVERED: Readonly<Record<string, unknown>> = cdkJson.context;

/** An app without the slow parts: bundling, and the schemas of AWS, which `npm run synth` validates against. */
export function createApp(overrides: Readonly<Record<string, unknown>> = {}): App {
  const context = { ...DELIVERED, ...overrides, 'aws:cdk:bundling-stacks': [] };
  return new App({ stackTraces: false, builtinCloudFormationValidation: false, context });
}

export function configured(overrides: Readonly<Record<string, unknown>> = {}): Configuration {
  return withPolicy(readStackSettings({ ...DELIVERED, ...overrides }), policy);
}

/** What `cdk synth` writes of the functions' stack, made once for all test files of a process. */
export const synthesised = madeOnce(ComputeStack);
/** And of the stack with the tables. */
export const dataSynthesised = madeOnce(DataStack);

function madeOnce(Made: typeof ComputeStack | typeof DataStack) {
  const templates = new Map<string, Template>();
  return (overrides: Readonly<Record<string, unknown>> = {}): Template => {
    const key = JSON.stringify(overrides);
    const template =
      templates.get(key) ?? Template.fromStack(new Made(createApp(overrides), configured(overrides)));
    templates.set(key, template);
    return template;
  };
}

/** Resources of a type by logical id. */
export function resourcesOf(template: Template, type: string): Readonly<Record<string, Resource>> {
  const found: Record<string, Resource> = {};
  for (const [id, resource] of Object.entries(template.findResources(type))) {
    found[id] = { ...resource, Type: type, Properties: resource['Properties'] ?? {} };
  }
  return found;
}

/** The one resource of a type with this logical id, without the eight characters that the CDK appends, or so begun. */
export function resourceOf(template: Template, type: string, name: string): Resource {
  const resources = Object.entries(resourcesOf(template, type));
  const exact = resources.filter(([id]) => id.replace(/[0-9A-F]{8}$/, '') === name);
  const matches = exact.length > 0 ? exact : resources.filter(([id]) => id.startsWith(name));
  const [match] = matches;
  if (!match || matches.length > 1) throw new Error(`${matches.length} resources ${name} of type ${type}`);
  return match[1];
}
