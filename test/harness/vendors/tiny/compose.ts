import { registerHooks } from 'node:module';

/** Composes this vendor in place of the first: for what it offers, and for how it is opened. */
registerHooks({
  resolve: (name, context, next) => {
    const found = next(name, context);
    const isReplaced = /shared\/vendor\/(?:in-use|data-service\/vendor-client)\.ts$/.test(found.url);
    return isReplaced ? { ...found, url: new URL('index.ts', import.meta.url).href } : found;
  },
});
