/** Creates an id that is unique over all calls and processes. */
export type NewId = () => string;
