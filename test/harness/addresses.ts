export const DATA_SERVICE_URL = 'https://data.example';
export const HUBSPOT_URL = 'https://hubspot.example';
