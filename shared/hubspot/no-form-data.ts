/**
 * Replaces the package `form-data` in the bundles, by the bundler's `alias`. HubSpot's client only checks whether a
 * body is form data, and our bodies never are. The package would add 150 KB of MIME types.
 */
export default class NoFormData {
  constructor() {
    throw new Error('Form data is not bundled.');
  }
}
