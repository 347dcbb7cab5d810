/** `YYYY-MM-DD` of an ISO date or date-time (in UTC); `undefined` for anything else, also for 30 February. */
export function toCalendarDate(text: string): string | undefined {
  const ms = epochOf(text);
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10);
}

/** Epoch milliseconds of an ISO date or date-time, or of milliseconds in digits, as HubSpot takes all three. */
export function epochOf(text: string): number | undefined {
  const trimmed = text.trim();
  // Fewer digits are no milliseconds of our time: 20240131 is a date in a form that HubSpot does not take.
  if (/^-?\d{11,14}$/.test(trimmed)) return Number(trimmed);
  const [, day] = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(trimmed) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  // JavaScript reads 30 February as 2 March; such a date is a damaged one.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined;
  const ms = Date.parse(trimmed);
  return Number.isNaN(ms) ? undefined : ms;
}
