/**
 * Takes the place of the package `form-data` in the bundles (by the bundler's `alias`). HubSpot's client asks of a
 * body whether it is one; none of ours is, and with the package come 150 KB of MIME types.
 */
export default class NoFormData {
  constructor() {
    throw new Error('Form data is not bundled.');
  }
}
