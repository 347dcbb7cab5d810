/** The places of the app in HubSpot: its card on a record, and its home page. */
export type AppPlace = 'card' | 'home';

/** Returns the code of one place and of the page around it, bundled for a browser. */
export type Script = (place: AppPlace) => Promise<string>;
