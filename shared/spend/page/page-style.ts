import type { Html } from '#shared/kernel';
import { COMPONENTS, DARK, LIGHT } from './component-style.ts';

/** The style sheet consists only of constants, so nothing needs escaping. */
export const PAGE_STYLE: Html = {
  markup: `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) {
  :root { ${DARK} }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.5rem 3rem; max-width: 70rem; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
${COMPONENTS}
header { display: flex; flex-wrap: wrap; gap: 1rem 2rem; justify-content: space-between; align-items: end; margin-bottom: 1.5rem; }
header .muted { margin-top: 0.375rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.875rem; }
main { display: grid; gap: 1rem; }
footer { margin-top: 1.5rem; color: var(--muted); font-size: 0.8125rem; max-width: 48rem; }
footer h2 { font-size: 0.875rem; }
footer p { margin-top: 0.375rem; }
@media (max-width: 32rem) {
  body { padding: 1.25rem 0.875rem 2rem; }
  .panel { padding: 1rem; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 0.625rem; }
  .tile { padding: 0.75rem 0.875rem; }
  .tile:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .tile .value { font-size: 1.5rem; }
  .plot, .days { margin-left: 3rem; }
  .scale { left: -3rem; width: 2.625rem; }
  th, td { padding-left: 0.625rem; }
  .scroll table, .scroll caption, .scroll tbody, .scroll tr, .scroll th { display: block; }
  .scroll thead { display: none; }
  .scroll thead:has(a) { display: block; }
  .scroll thead:has(a) th { display: inline-block; min-width: 0; margin-right: 1rem; white-space: normal; }
  .scroll tr { border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
  .scroll tbody tr:last-child { border-bottom: 0; }
  .scroll th, .scroll td { padding: 0.125rem 0; border-bottom: 0; }
  .scroll tbody th { font-weight: 600; }
  .scroll td { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0.5rem; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  .scroll td:has(> div:empty) { display: none; }
  .scroll td::before { content: attr(data-label); color: var(--muted); font-size: 0.8125rem; font-weight: 400; }
}
@media print {
  :root { --page: #ffffff; }
  body { padding: 0; }
  nav, summary { display: none; }
  .panel, .tile, .notice { break-inside: avoid; }
}
`,
};
