/**
 * Colours and rules that the page and the dashboard's widget share. In both colour schemes, text has a contrast of at
 * least 4.5 : 1 to its background, and bars of at least 3 : 1.
 */

export const LIGHT = `--page: #f5f6f8; --panel: #ffffff; --line: #dfe3e8; --track: #e6e9ee;
  --text: #18212b; --muted: #566270; --accent: #2a5fc4;
  --manual: #8a3ab9; --live: #2a5fc4; --workflow: #0f766e; --import: #a85a00; --refresh: #566270; --backfill: #b0305f;
  --nearly: #b26a00; --full: #c0362c; --notice: #fff6e5; --notice-line: #e2b25c;`;

export const DARK = `--page: #0f1318; --panel: #181e26; --line: #2b3440; --track: #2b3440;
--text: #e7ebf0; --muted: #9ba7b4; --accent: #7fa8f5;
--manual: #c792ea; --live: #7fa8f5; --workflow: #4fc1b0; --import: #e3a545; --refresh: #9ba7b4; --backfill: #f084ab;
--nearly: #e3a545; --full: #f0776c; --notice: #2a2213; --notice-line: #8a6a2a;`;

/** One rule on each line, so that {@link scoped} can limit the rules to a part of a document. */
export const COMPONENTS = `h1, h2, h3, p, ul, dl, dd, figure { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 1.0625rem; letter-spacing: -0.01em; }
h3 { font-size: 0.9375rem; font-weight: 600; }
a { color: var(--accent); text-underline-offset: 0.15em; }
code { font: 0.8125rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; user-select: all; }
.muted { color: var(--muted); font-size: 0.875rem; }
.bad { color: var(--full); }
.badge { display: inline-block; border: 1px solid var(--muted); border-radius: 0.375rem; padding: 0 0.4375rem; color: var(--muted); font-size: 0.75rem; font-weight: 600; line-height: 1.25rem; letter-spacing: 0; vertical-align: middle; }
.badge.real { border-color: var(--accent); color: var(--accent); }
.panel, .tile { background: var(--panel); border: 1px solid var(--line); border-radius: 0.625rem; }
.panel { padding: 1.25rem; min-width: 0; }
.head { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; align-items: baseline; }
.notice { background: var(--notice); border: 1px solid var(--notice-line); border-radius: 0.625rem; padding: 1rem 1.25rem; min-width: 0; }
.notice p, .notice ul, .notice details { margin-top: 0.5rem; max-width: 60rem; }
.notice ul { padding-left: 1.25rem; }
.notice td:first-child { min-width: 5.75rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; }
.tile { padding: 1rem 1.25rem; }
.tile dt { color: var(--muted); font-size: 0.875rem; }
.tile .value { font-size: 2rem; font-weight: 650; line-height: 1.25; letter-spacing: -0.02em; }
.tile .note { color: var(--muted); font-size: 0.8125rem; line-height: 1.4; }
.chart { margin: 1.25rem 0 0.75rem; }
.plot { position: relative; height: 12rem; margin-left: 3.25rem; }
.plot svg { display: block; width: 100%; height: 100%; overflow: visible; }
.scale { position: absolute; inset: -0.6rem auto -0.6rem -3.25rem; width: 2.75rem; display: flex; flex-direction: column; justify-content: space-between; text-align: right; color: var(--muted); font-size: 0.75rem; line-height: 1.2rem; }
.grid, .base, .limit { fill: none; stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.base { stroke: var(--muted); }
.limit { stroke: var(--full); stroke-dasharray: 5 4; }
.limit-label { position: absolute; right: 0; padding-bottom: 0.125rem; color: var(--full); font-size: 0.75rem; line-height: 1.2; }
.touch { fill: transparent; }
.stopped { fill: var(--notice); stroke: var(--notice-line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.of-manual { fill: var(--manual); }
.of-live { fill: var(--live); }
.of-workflow { fill: var(--workflow); }
.of-import { fill: var(--import); }
.of-refresh { fill: var(--refresh); }
.of-backfill { fill: var(--backfill); }
.stripe { fill: var(--panel); fill-opacity: 0.6; }
.day:hover .touch, a:focus-visible .touch { fill: var(--track); }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 0.625rem; font-size: 0.8125rem; }
.legend svg { width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; vertical-align: -0.0625rem; }
.unit { margin: 0 0 0.5rem; color: var(--muted); font-size: 0.75rem; }
.mark { stroke: var(--text); stroke-width: 1; vector-effect: non-scaling-stroke; }
.days { position: relative; height: 1.25rem; margin: 0.375rem 0 0 3.25rem; color: var(--muted); font-size: 0.75rem; }
.days span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.days .now { left: auto; right: 0; transform: none; color: var(--text); font-weight: 600; }
details { font-size: 0.875rem; }
summary { cursor: pointer; color: var(--accent); width: fit-content; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
caption { text-align: left; color: var(--muted); font-size: 0.8125rem; padding: 0.125rem 0 0.5rem; }
th, td { padding: 0.4375rem 0 0.4375rem 1rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
.typed { overflow-wrap: anywhere; min-width: 6.5rem; }
thead th { color: var(--muted); font-size: 0.8125rem; white-space: nowrap; }
tfoot th, tfoot td { font-weight: 650; border-bottom: 0; }
.number { text-align: right; white-space: nowrap; }
.thin { display: block; width: 100%; max-width: 14rem; height: 3px; margin-top: 0.25rem; }
.fill { fill: var(--accent); }
.budgets { list-style: none; padding: 0; display: grid; gap: 1.125rem 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); margin-top: 1rem; }
.budgets .muted { font-size: 0.8125rem; }
.meter { display: block; width: 100%; height: 0.5rem; margin: 0.375rem 0; border-radius: 0.25rem; }
.track { fill: var(--track); }
.nearly .fill { fill: var(--nearly); }
.full .fill { fill: var(--full); }
.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); align-items: start; }
.stack { display: grid; gap: 1rem; min-width: 0; }
.picking { margin-top: 0.75rem; align-items: end; }
.picker { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: end; margin-top: 0.25rem; }
.picker label { display: grid; gap: 0.125rem; color: var(--muted); font-size: 0.8125rem; max-width: 100%; }
.picker input, .picker select, .picker button { font: inherit; font-size: 0.875rem; color: var(--text); background: var(--panel); border: 1px solid var(--muted); border-radius: 0.375rem; padding: 0.125rem 0.5rem; height: 2rem; max-width: 100%; }
.picker select { max-width: 11rem; }
.picker button { cursor: pointer; font-weight: 600; }
.months, .pager, .ways { font-size: 0.875rem; }
.pager { margin-top: 0.75rem; }
.scroll { overflow-x: auto; margin-top: 0.75rem; }
.scroll th, .scroll td { min-width: 5.5rem; }
.scroll a, .scroll .link { white-space: nowrap; }
.scroll code { font-size: 0.75rem; }
.facts { display: grid; gap: 0.75rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); margin-top: 0.5rem; }
.facts dt { color: var(--muted); font-size: 0.8125rem; }
.link { font: inherit; color: var(--accent); background: none; border: 0; padding: 0; cursor: pointer; text-decoration: underline; text-underline-offset: 0.15em; }`;

/** Limits the rules to the inside of the element that `root` selects. */
export function scoped(rules: string, root: string): string {
  return rules.replaceAll(/^([^{\n]+) \{/gm, (_, selectors: string) => {
    const inside = selectors.split(', ').map((selector) => `${root} ${selector}`);
    return `${inside.join(', ')} {`;
  });
}
