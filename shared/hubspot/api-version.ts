/** Version in every path. HubSpot supports a version for 18 months ("Platform versioning"). */
export const API_VERSION = '2026-09';
