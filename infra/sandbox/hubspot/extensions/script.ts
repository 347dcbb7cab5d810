/** Gives the code of a page's app and its host, bundled for a browser. */
export type Script = () => Promise<string>;
