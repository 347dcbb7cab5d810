/** Address of the installation, which is the webhook's target URL. `npm run deploy` writes it into this file. */
export const ADDRESS = 'https://replace-this.example/hubspot';

/** Address of the spend page for a browser. Empty if the page has none, as on AWS, where the console shows it. */
export const SPEND_PAGE: string = '';
