/** Where the installation answers: the webhook's target URL. `npm run deploy` writes it. */
export const ADDRESS = 'https://replace-this.example/hubspot';
