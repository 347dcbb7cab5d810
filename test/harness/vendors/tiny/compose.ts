import { registerHooks } from 'node:module';

/** What this vendor offers, in place of the first: the types of stored items are made of it. */
registerHooks({
  resolve: (name, context, next) => {
    const found = next(name, context);
    const isReplaced = /shared\/vendor\/in-use\.ts$/.test(found.url);
    return isReplaced ? { ...found, url: new URL('index.ts', import.meta.url).href } : found;
  },
});
