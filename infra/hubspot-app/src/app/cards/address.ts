/** Address of the installation, which is the webhook's target URL. `npm run deploy` writes it into this file. */
export const ADDRESS = 'https://replace-this.example/hubspot';
