import { onTestFinished } from 'vitest';

/** Changes a person, job or company for one test. All worlds of a process are made of the same ones. */
export function changed<T extends object>(target: T, change: { readonly [K in keyof T]?: T[K] | undefined }) {
  const before = Object.fromEntries(Object.keys(change).map((name) => [name, target[name as keyof T]]));
  onTestFinished(() => void Object.assign(target, before));
  Object.assign(target, change);
}
