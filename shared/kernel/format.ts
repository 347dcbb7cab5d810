// The formats are marked as pure, so that a bundle contains only the formats that it uses.
const whole = /* @__PURE__ */ new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const hundredths = /* @__PURE__ */ new Intl.NumberFormat('en-GB', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const percentage = /* @__PURE__ */ new Intl.NumberFormat('en-GB', {
  style: 'percent',
  maximumFractionDigits: 0,
});

/** `12,345`, with a true minus sign. */
export function figure(number: number): string {
  return whole.format(number).replace('-', '−');
}

export function withHundredths(number: number): string {
  return hundredths.format(number);
}

/** `1 credit`, `12 credits`, `3 companies`. */
export function counted(number: number, noun: string): string {
  return `${figure(number)} ${number === 1 ? noun : pluralOf(noun)}`;
}

function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** `43%`, or `<1%` for a positive share that would be rounded to 0. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '<1%';
  return share >= 0.995 && share < 1 ? '>99%' : percentage.format(share);
}

const dayOnly = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
});
const weekdayAndDay = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const monthAndYear = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  month: 'long',
  year: 'numeric',
});

/** `21 Nov`. @param day `2026-11-21` */
export function shortDay(day: string): string {
  return dayOnly.format(Date.parse(`${day}T00:00:00Z`));
}

/** `21 Nov 2026`. */
export function longDay(day: string): string {
  return `${shortDay(day)} ${day.slice(0, 4)}`;
}

/** `Sat 21 Nov`. */
export function weekday(day: string): string {
  return weekdayAndDay.format(Date.parse(`${day}T00:00:00Z`));
}

/** `November 2026`. @param month `2026-11` */
export function longMonth(month: string): string {
  return monthAndYear.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** `21 Nov 2026, 08:44`, in the time zone. */
export function instant(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(atMs);
}
