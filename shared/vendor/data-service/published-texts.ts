/** The error texts that the specification publishes. */
const PUBLISHED = [
  /^API key is required$/,
  /^Invalid or missing API key$/,
  /^Invalid limit value\. Must be between 1 and 100$/,
  /^At least one search (criterion|filter) is required$/,
  /^Either (company_)?domain or [a-z_]+( parameter)? is required$/,
  /^Missing required parameters: company_domain and first_name are required$/,
  /^Missing required parameter: [a-z_]{1,40}$/,
  /^Invalid [A-Za-z ]{1,40} format(; must be a company page URL)?$/,
  /^Not sufficient credit available for request$/,
  /^Company not found or has insufficient employee data$/,
  /^No (profile|company) found matching the provided criteria$/,
  /^(Profile not|No profile) found for the provided [a-zA-Z/ ]{1,40}$/,
  /^Too many requests within the limit$/,
];

/** Whether the specification publishes this text of an error. */
export function isPublishedText(vendorText: string): boolean {
  return PUBLISHED.some((pattern) => pattern.test(vendorText));
}
