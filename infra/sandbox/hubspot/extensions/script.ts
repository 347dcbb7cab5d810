/** The places where the app shows something: its card on a record, and its home page. */
export type AppPlace = 'card' | 'home';

/** Gives the code of one place and of the page around it, bundled for a browser. */
export type Script = (place: AppPlace) => Promise<string>;
