/** The version that every path names; HubSpot supports one for 18 months ("Platform versioning"). */
export const API_VERSION = '2026-09';
